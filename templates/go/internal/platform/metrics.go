package platform

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Upper bounds of the histograms, in seconds.
var buckets = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

const (
	// Requests to routes of setup.go, and requests that match no route.
	customRequest = "custom"
	otherRequest  = "other"
)

var (
	// Statements by their first word.
	queryTypes       = []string{"select", "insert", "update", "delete", "transaction", "other"}
	transactionWords = []string{"begin", "commit", "rollback", "savepoint", "release"}
	failureReasons   = []string{"connection", "constraint", "conflict", "disk_full", "timeout", "other"}
)

// NewMetrics creates the metrics of a service, and returns what serves them. Their names begin with `prefix`.
// `requestTypes` has the `request_type` of each route: `GET /home/{id}`. Every label has a fixed set of values.
func NewMetrics(prefix string, requestTypes map[string]string) func(source MetricsSource) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	observeRequests(prefix, requestTypes, registry)
	observeStatements(prefix, registry)
	return func(source MetricsSource) http.Handler {
		gauge := func(name, help string, labels prometheus.Labels, value func() float64) {
			registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: prefix + "_database_" + name, Help: help, ConstLabels: labels,
			}, value))
		}
		is := func(check func(ctx context.Context) bool) func() float64 {
			return func() float64 {
				if check(context.Background()) {
					return 1
				}
				return 0
			}
		}
		pool := source.DB.pool
		gauge("up", "Whether the database responds", nil, is(source.IsUp))
		gauge("migrated", "Whether the database has the migrations that the code needs", nil, is(source.IsMigrated))
		gauge("connections_max", "Maximum number of connections to the database", nil,
			func() float64 { return float64(pool.Stat().MaxConns()) })
		gauge("connections_waiting", "Requests that wait for a connection to the database", nil,
			func() float64 { return float64(source.DB.waiting.Load()) })
		const help = "Open connections to the database"
		gauge("connections", help, prometheus.Labels{"state": "idle"},
			func() float64 { return float64(pool.Stat().IdleConns()) })
		gauge("connections", help, prometheus.Labels{"state": "busy"},
			func() float64 { return float64(pool.Stat().AcquiredConns()) })
		return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	}
}

func observeRequests(prefix string, requestTypes map[string]string, registry *prometheus.Registry) {
	success := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: prefix + "_request_success_total", Help: "Requests that succeeded",
	}, []string{"request_type"})
	failure := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: prefix + "_request_failure_total", Help: "Requests that failed, by the status of the response",
	}, []string{"request_type", "error_code"})
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    prefix + "_request_seconds",
		Help:    "Duration of requests, without the time in which lists are sent",
		Buckets: buckets,
	}, []string{"request_type"})
	registry.MustRegister(success, failure, seconds)
	// A rate needs a value from before the first request.
	prepare := func(name string) {
		success.WithLabelValues(name)
		failure.WithLabelValues(name, "500")
		seconds.WithLabelValues(name)
	}
	prepare(customRequest)
	prepare(otherRequest)
	for _, name := range requestTypes {
		prepare(name)
	}
	responseListeners = append(responseListeners, func(r *http.Request, status int, duration time.Duration) {
		name, isKnown := requestTypes[r.Pattern]
		switch {
		case r.Pattern == "":
			name = otherRequest
		case !isKnown:
			name = customRequest
		}
		seconds.WithLabelValues(name).Observe(duration.Seconds())
		if status < http.StatusBadRequest {
			success.WithLabelValues(name).Inc()
		} else {
			failure.WithLabelValues(name, strconv.Itoa(status)).Inc()
		}
	})
}

// statementMetrics measures the statements of a pool.
type statementMetrics struct {
	seconds *prometheus.HistogramVec
	failure *prometheus.CounterVec
}

func observeStatements(prefix string, registry *prometheus.Registry) {
	metrics := statementMetrics{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: prefix + "_database_request_seconds", Help: "Duration of statements", Buckets: buckets,
		}, []string{"query_type"}),
		failure: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: prefix + "_database_failure_total", Help: "Statements that failed",
		}, []string{"reason"}),
	}
	registry.MustRegister(metrics.seconds, metrics.failure)
	for _, name := range queryTypes {
		metrics.seconds.WithLabelValues(name)
	}
	for _, reason := range failureReasons {
		metrics.failure.WithLabelValues(reason)
	}
	statementTracer = metrics
}

type startedStatement struct {
	at        time.Time
	queryType string
}

type startedStatementKey struct{}

func (m statementMetrics) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	return context.WithValue(ctx, startedStatementKey{}, startedStatement{time.Now(), queryType(data.SQL)})
}

func (m statementMetrics) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	started, isKnown := ctx.Value(startedStatementKey{}).(startedStatement)
	if !isKnown {
		return
	}
	m.seconds.WithLabelValues(started.queryType).Observe(time.Since(started.at).Seconds())
	if data.Err != nil {
		m.failure.WithLabelValues(reasonOf(data.Err)).Inc()
	}
}

func queryType(sql string) string {
	words := strings.Fields(sql)
	if len(words) == 0 {
		return "other"
	}
	verb := strings.ToLower(strings.Trim(words[0], ";"))
	switch {
	case slices.Contains(transactionWords, verb):
		return "transaction"
	case slices.Contains(queryTypes, verb):
		return verb
	}
	return "other"
}

// reasonOf returns why a statement failed.
func reasonOf(err error) string {
	failure, isPostgres := errors.AsType[*pgconn.PgError](err)
	if !isPostgres {
		return "connection"
	}
	switch failure.Code {
	case "53100":
		return "disk_full"
	case "57014":
		return "timeout"
	case "40001", "40P01":
		return "conflict"
	}
	switch failure.Code[:2] {
	case "23":
		return "constraint"
	case "08", "28", "53", "57":
		return "connection"
	}
	return "other"
}
