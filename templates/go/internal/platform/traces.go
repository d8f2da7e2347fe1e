package platform

import (
	"context"
	"log/slog"
	"net/http"
)

// What sends spans to an OpenTelemetry collector. Only builds with the tag `otel` set startSpans, which sets the others.
var (
	// startSpans begins to send spans, and returns what sends the last ones.
	startSpans func(service string, config Config, log *slog.Logger) (stop func(ctx context.Context) error, err error)
	// traceRequest begins the span of a request, of which the trace of the request becomes a part.
	traceRequest = func(ctx context.Context, _ *http.Request, _ *request) context.Context { return ctx }
	// traceCall begins the span of a call to another service, which gets the trace of the context.
	traceCall = func(ctx context.Context, _, _ string) (context.Context, func(err error)) { return ctx, func(error) {} }
)
