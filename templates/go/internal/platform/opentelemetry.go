//go:build otel

package platform

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// How long the last spans may take to be sent.
const stopSpansTimeout = 2 * time.Second

func init() { startSpans = startOpenTelemetry }

// startOpenTelemetry sends spans to a collector. The exporter reads its address and other `OTEL_EXPORTER_OTLP_`
// variables.
func startOpenTelemetry(service string, config Config, log *slog.Logger) (func(context.Context) error, error) {
	// A batch that cannot be sent is reported and dropped: others follow.
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{}))
	if err != nil {
		return nil, err
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", service))),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(config.TracedFraction))),
	)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("Could not send traces", errorAttr(err))
	}))
	otel.SetTracerProvider(provider)
	s := spans{provider.Tracer("portico")}
	traceRequest, traceCall = s.request, s.call
	responseListeners = append(responseListeners, endRequest)
	tracers := []pgx.QueryTracer{s}
	if statementTracer != nil {
		tracers = append(tracers, statementTracer)
	}
	statementTracer = multitracer.New(tracers...)
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, stopSpansTimeout)
		defer cancel()
		return provider.Shutdown(ctx)
	}, nil
}

type spans struct{ trace.Tracer }

func (s spans) start(
	ctx context.Context, name string, kind trace.SpanKind, attributes ...attribute.KeyValue,
) (context.Context, trace.Span) {
	return s.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

func (s spans) request(ctx context.Context, r *http.Request, current *request) context.Context {
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	ctx, _ = s.start(ctx, r.Method, trace.SpanKindServer,
		attribute.String("http.request.method", r.Method), attribute.String("url.path", r.URL.Path))
	current.setTrace(ctx)
	return ctx
}

// setTrace makes the span of the context the one that others continue.
func (r *request) setTrace(ctx context.Context) {
	headers := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, headers)
	r.traceparent, r.tracestate = headers["traceparent"], headers["tracestate"]
}

// In the same form as services in TypeScript: `/home/:id`.
var routeForm = strings.NewReplacer("{", ":", "}", "")

func endRequest(r *http.Request, status int, _ time.Duration) {
	span := trace.SpanFromContext(r.Context())
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		fail(span, strconv.Itoa(status))
	}
	if _, path, isRoute := strings.Cut(r.Pattern, " "); isRoute {
		route := routeForm.Replace(path)
		span.SetName(r.Method + " " + route)
		span.SetAttributes(attribute.String("http.route", route))
	}
	span.End()
}

func (s spans) call(ctx context.Context, method, service string) (context.Context, func(err error)) {
	ctx, span := s.start(ctx, method+" "+service, trace.SpanKindClient,
		attribute.String("http.request.method", method), attribute.String("peer.service", service))
	var called request
	if current := requestOf(ctx); current != nil {
		called = *current
	}
	called.setTrace(ctx)
	return context.WithValue(ctx, requestKey{}, &called), func(err error) {
		if refusal, isRefusal := errors.AsType[*Error](err); isRefusal {
			fail(span, strconv.Itoa(refusal.Status))
		} else if err != nil {
			fail(span, typeName(err))
		}
		span.End()
	}
}

var (
	firstWord = regexp.MustCompile(`\w+`)
	tableName = regexp.MustCompile(`(?i)\b(?:from|into|update) "(\w+)"`)
)

// TraceQueryStart begins the span of a statement.
func (s spans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	operation := strings.ToLower(firstWord.FindString(data.SQL))
	name := operation
	attributes := []attribute.KeyValue{
		attribute.String("db.system.name", "postgresql"), attribute.String("db.operation.name", operation),
		attribute.String("db.query.text", data.SQL),
	}
	if table := tableName.FindStringSubmatch(data.SQL); table != nil {
		name += " " + table[1]
		attributes = append(attributes, attribute.String("db.collection.name", table[1]))
	}
	ctx, _ = s.start(ctx, name, trace.SpanKindClient, attributes...)
	return ctx
}

// TraceQueryEnd ends the span of a statement.
func (s spans) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	span := trace.SpanFromContext(ctx)
	if failure, isPostgres := errors.AsType[*pgconn.PgError](data.Err); isPostgres {
		fail(span, failure.Code)
	} else if data.Err != nil {
		fail(span, "connection")
	}
	span.End()
}

// fail notes only a code, because messages can contain values of clients.
func fail(span trace.Span, code string) {
	span.SetStatus(codes.Error, "")
	span.SetAttributes(attribute.String("error.type", code))
}
