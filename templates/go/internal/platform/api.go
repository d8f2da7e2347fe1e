package platform

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Identify identifies who sent a request: Tokens.Require or Tokens.Recognize.
type Identify func(r *http.Request) (Caller, error)

// API handles requests with what comes before every route: ids, the log, errors, access and limits.
type API struct {
	// The service as declared.
	Service string
	// The message for each constraint of the database that a request can violate.
	Conflicts map[string]string

	Log    *slog.Logger
	Limits *BodyLimits
	// nil without authentication.
	Identify Identify
	// Paths whose routes in setup.go need no token, with everything below them.
	PublicPaths []string
	// The routes of setup.go, which come first, those of endpoints whose paths begin with text, which an id would match,
	// and the other generated ones.
	Own, Endpoints, Generated Router
	// What only other services call; nil if there is nothing.
	Internal *API
}

func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	request := newRequest(r.Header)
	// What has begun is finished, even if the client disconnects: a canceled statement would close its connection.
	ctx := context.WithValue(context.WithoutCancel(r.Context()), requestKey{}, request)
	r = r.WithContext(traceRequest(ctx, r, request))
	response := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Request-Id", request.id)
	api.handle(response, r)
	if !response.wroteHeader {
		response.WriteHeader(http.StatusOK)
	}
	// Without the time in which the client receives a list.
	duration := response.at.Sub(began)
	for _, listener := range responseListeners {
		listener(r, response.status, duration)
	}
	if !api.Log.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	// Without the line of code, which LogAttrs would look up.
	record := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	record.AddAttrs(slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int("status", response.status), slog.Float64("durationMs", float64(duration.Microseconds())/1000))
	if caller := CallerOf(r.Context()); caller.Token != "" {
		record.AddAttrs(slog.String("user", caller.ID.String()))
	}
	_ = api.Log.Handler().Handle(r.Context(), record)
}

// responseListeners get each request after its response, with its duration. The pattern of the request is that of its
// route.
var responseListeners []func(r *http.Request, status int, duration time.Duration)

func (api *API) handle(w *statusWriter, r *http.Request) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		stack := debug.Stack()
		if other, isOther := cause.(*panicked); isOther {
			cause, stack = other.cause, other.stack
		}
		if cause == http.ErrAbortHandler || w.wroteHeader {
			panic(http.ErrAbortHandler)
		}
		// Only the type, because a value may contain data of clients.
		api.Log.ErrorContext(r.Context(), "Request panicked",
			slog.String("type", fmt.Sprintf("%T", cause)), slog.String("stack", string(stack)))
		_ = JSON(w, http.StatusInternalServerError, errorBody{"Internal server error"})
	}()
	if err := api.route(w, r); err != nil {
		if w.wroteHeader {
			if !w.isLost {
				api.Log.ErrorContext(r.Context(), "Response aborted", errorAttr(err))
			}
			// The status has been sent. Only a broken connection can report the error.
			panic(http.ErrAbortHandler)
		}
		api.translate(r.Context(), err).respond(w)
	}
}

func (api *API) route(w http.ResponseWriter, r *http.Request) error {
	var unidentified error
	if api.Identify != nil {
		caller, err := api.Identify(r)
		isPublic := slices.ContainsFunc(api.PublicPaths, func(path string) bool {
			return r.URL.Path == path || strings.HasPrefix(r.URL.Path, path+"/")
		})
		if err != nil && !isPublic {
			return err
		}
		unidentified = err
		requestOf(r.Context()).caller = caller
	}
	end, err := api.Limits.apply(w, r)
	if err != nil {
		return err
	}
	defer end()
	if api.Own.has(r) {
		return api.Own.serve(w, r)
	}
	if unidentified != nil {
		return unidentified
	}
	if api.Endpoints.has(r) {
		return api.Endpoints.serve(w, r)
	}
	if api.Generated.has(r) {
		return api.Generated.serve(w, r)
	}
	var allowed []string
	for _, router := range []*Router{&api.Own, &api.Endpoints, &api.Generated} {
		for _, method := range router.allowed(r) {
			if !slices.Contains(allowed, method) {
				allowed = append(allowed, method)
			}
		}
	}
	if len(allowed) == 0 {
		return &Error{Status: http.StatusNotFound, Message: "Not found"}
	}
	header := http.Header{"Allow": {strings.Join(allowed, ", ")}}
	return &Error{Status: http.StatusMethodNotAllowed, Message: "Method not allowed", Header: header}
}

// statusWriter remembers the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status      int
	wroteHeader bool
	// When the response began.
	at time.Time
	// The client is gone.
	isLost bool
}

func (w *statusWriter) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) begin(status int) {
	if !w.wroteHeader {
		w.status, w.wroteHeader, w.at = status, true, time.Now()
	}
}

func (w *statusWriter) Write(body []byte) (int, error) {
	w.begin(w.status)
	count, err := w.ResponseWriter.Write(body)
	w.isLost = w.isLost || err != nil
	return count, err
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Handler handles a request. The error that it returns becomes the response.
type Handler func(w http.ResponseWriter, r *http.Request) error

// ServeHTTP leaves the error to the API.
func (handle Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	requestOf(r.Context()).err = handle(w, r)
}

// Router has the routes of a service, with the patterns of http.ServeMux: `GET /home/{id}`.
type Router struct {
	mux http.ServeMux
	// Of all patterns. GET includes HEAD.
	methods []string
}

// Handle adds a route: `router.Handle("POST /home/{id}/rating", handler)`.
func (router *Router) Handle(pattern string, handler Handler) {
	method, _, _ := strings.Cut(pattern, " ")
	if !slices.Contains(router.methods, method) {
		router.methods = append(router.methods, method)
	}
	if method == http.MethodGet && !slices.Contains(router.methods, http.MethodHead) {
		router.methods = append(router.methods, http.MethodHead)
	}
	router.mux.Handle(pattern, handler)
}

// HandleList adds a route for GET whose last segment no route may take for an id.
func (router *Router) HandleList(path string, handler Handler) {
	router.Handle("GET "+path, handler)
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete} {
		router.mux.Handle(method+" "+path, http.NotFoundHandler())
	}
}

// serve runs the route of a request.
func (router *Router) serve(w http.ResponseWriter, r *http.Request) error {
	router.mux.ServeHTTP(w, r)
	return requestOf(r.Context()).err
}

func (router *Router) has(r *http.Request) bool {
	// ServeMux would redirect.
	if path.Clean(r.URL.Path) != r.URL.Path {
		return false
	}
	handler, _ := router.mux.Handler(r)
	_, isRoute := handler.(Handler)
	return isRoute
}

// allowed returns the methods that the path has.
func (router *Router) allowed(r *http.Request) (methods []string) {
	other := *r
	for _, other.Method = range router.methods {
		if router.has(&other) {
			methods = append(methods, other.Method)
		}
	}
	return methods
}
