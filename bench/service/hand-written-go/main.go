// The services of measured.portico, as an engineer would write them by hand with net/http and pgx: `hand-written-go thing`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

const maxBodyBytes = 64 << 10

func main() {
	if err := run(os.Args[1]); err != nil {
		slog.Error("could not start", "err", err)
		os.Exit(1)
	}
}

func run(service string) error {
	address := os.Getenv("HOST") + ":" + os.Getenv("PORT")
	if service == "references" {
		return http.ListenAndServe(address, http.HandlerFunc(knowAll))
	}
	slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stdout, nil)).With("service", service))
	tokens, err := readCredentials(os.Getenv("GATEWAY_CREDENTIALS_FILE"))
	if err != nil {
		return err
	}
	pool, err := connect(context.Background())
	if err != nil {
		return err
	}
	defer pool.Close()
	routes := map[string]func(*http.ServeMux, *pgxpool.Pool){
		"thing": thingRoutes,
		"link":  linkRoutes,
		"step":  stepRoutes,
	}
	mux := http.NewServeMux()
	routes[service](mux, pool)
	server := &http.Server{
		Addr:              address,
		Handler:           withRequestID(withLog(withCaller(tokens, mux))),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       75 * time.Second,
	}
	return server.ListenAndServe()
}

// knowAll stands in for the services whose entities are referenced, so that they take little of what is measured: it
// knows all ids.
func knowAll(w http.ResponseWriter, _ *http.Request) {
	_ = writeJSON(w, http.StatusOK, map[string][]string{"unknown": {}})
}

type contextKey int

const (
	requestIDKey contextKey = iota
	callerKey
)

func requestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey).(string)
	return id
}

func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if id == "" || len(id) > 255 {
			id = uuid.NewString()
		}
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey, id)))
	})
}

// statusWriter remembers the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func withLog(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		response := &statusWriter{w, http.StatusOK}
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(response, r)
		slog.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("requestId", requestIDOf(r.Context())),
			slog.String("method", r.Method),
			slog.String("path", r.URL.Path),
			slog.Int("status", response.status),
			slog.Duration("duration", time.Since(started)))
	})
}

// statusError is an error for the client.
type statusError struct {
	status  int
	message string
}

func (e *statusError) Error() string { return e.message }

func badRequest(message string) error { return &statusError{http.StatusBadRequest, message} }

// handle adds a route whose errors become responses.
func handle(mux *http.ServeMux, pattern string, handler func(w http.ResponseWriter, r *http.Request) error) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if err := handler(w, r); err != nil {
			writeError(w, r, err)
		}
	})
}

func writeError(w http.ResponseWriter, r *http.Request, err error) {
	known, isKnown := errors.AsType[*statusError](err)
	if !isKnown {
		slog.ErrorContext(r.Context(), "request failed", "requestId", requestIDOf(r.Context()), "err", err)
		known = &statusError{http.StatusInternalServerError, "Internal server error"}
	}
	_ = writeJSON(w, known.status, map[string]string{"error": known.message})
}

func writeJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
	return nil
}

func readJSON(w http.ResponseWriter, r *http.Request, target any) error {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBodyBytes)).Decode(target)
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return &statusError{http.StatusRequestEntityTooLarge, "Request body too large"}
	}
	if err != nil {
		return badRequest("Invalid request body: " + err.Error())
	}
	return nil
}

func pathID(r *http.Request) (uuid.UUID, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return id, badRequest("Invalid id: " + r.PathValue("id"))
	}
	return id, nil
}
