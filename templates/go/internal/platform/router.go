package platform

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// Handler handles a request. The error that it returns becomes the response.
type Handler func(w http.ResponseWriter, r *http.Request) error

// ServeHTTP leaves the error to the API.
func (handle Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	requestOf(r.Context()).err = handle(w, r)
}

// Router has the routes of a service, with the patterns of http.ServeMux: `GET /home/{id}`.
type Router struct {
	mux http.ServeMux
	// Of all patterns. GET implies HEAD.
	methods []string
	// Patterns that only refuse a method.
	refusals map[string]bool
}

// Handle adds a route: `router.Handle("POST /home/{id}/rating", handler)`.
func (router *Router) Handle(pattern string, handler Handler) {
	method, _, _ := strings.Cut(pattern, " ")
	if !slices.Contains(router.methods, method) {
		router.methods = append(router.methods, method)
	}
	router.mux.Handle(pattern, handler)
}

// HandleList adds a route for GET whose last segment no route may take for an id.
func (router *Router) HandleList(path string, handler Handler) {
	router.Handle("GET "+path, handler)
	if router.refusals == nil {
		router.refusals = map[string]bool{}
	}
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete} {
		router.refusals[method+" "+path] = true
		router.mux.Handle(method+" "+path, http.NotFoundHandler())
	}
}

// serve runs the route of a request.
func (router *Router) serve(w http.ResponseWriter, r *http.Request) error {
	router.mux.ServeHTTP(w, r)
	return requestOf(r.Context()).err
}

func (router *Router) has(r *http.Request) bool {
	if router == nil || len(router.methods) == 0 {
		return false
	}
	// ServeMux would redirect.
	if path.Clean(r.URL.Path) != r.URL.Path {
		return false
	}
	_, pattern := router.mux.Handler(r)
	return pattern != "" && !router.refusals[pattern]
}

// allowed returns the methods that the path has.
func (router *Router) allowed(r *http.Request) []string {
	if router == nil {
		return nil
	}
	var methods []string
	other := *r
	for _, other.Method = range router.methods {
		if !router.has(&other) {
			continue
		}
		methods = append(methods, other.Method)
		if other.Method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	return methods
}
