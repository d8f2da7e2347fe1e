package platform

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
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

// Metrics is what a service reports to Prometheus. Every label has a fixed set of values.
type Metrics struct {
	// What the names of metrics begin with.
	Prefix string
	// The `request_type` of each route: `GET /home/{id}`.
	RequestTypes map[string]string
}

// start begins to observe requests and statements.
func (m *Metrics) start() {
	success := m.counter("_request_success_total", "Requests that succeeded", "request_type")
	failure := m.counter("_request_failure_total", "Requests that failed, by the status of the response",
		"request_type", "error_code")
	seconds := m.histogram("_request_seconds", "Duration of requests, without the time in which lists are sent",
		"request_type")
	// A rate needs a value from before the first request.
	for _, name := range append(slices.Collect(maps.Values(m.RequestTypes)), customRequest, otherRequest) {
		success.WithLabelValues(name)
		failure.WithLabelValues(name, "500")
		seconds.WithLabelValues(name)
	}
	responseListeners = append(responseListeners, func(r *http.Request, status int, duration time.Duration) {
		name, isKnown := m.RequestTypes[r.Pattern]
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
	statements := statementMetrics{
		seconds: m.histogram("_database_request_seconds", "Duration of statements", "query_type"),
		failure: m.counter("_database_failure_total", "Statements that failed", "reason"),
	}
	for _, name := range queryTypes {
		statements.seconds.WithLabelValues(name)
	}
	for _, reason := range failureReasons {
		statements.failure.WithLabelValues(reason)
	}
	statementTracer = statements
}

// handler serves the metrics.
func (m *Metrics) handler(db *DB, probe *probe) http.Handler {
	gauge := func(name, help string, labels prometheus.Labels, value func() float64) {
		promauto.NewGaugeFunc(prometheus.GaugeOpts{
			Name: m.Prefix + "_database_" + name, Help: help, ConstLabels: labels,
		}, value)
	}
	isNil := func(check func(ctx context.Context) error) func() float64 {
		return func() float64 {
			if check(context.Background()) == nil {
				return 1
			}
			return 0
		}
	}
	gauge("up", "Whether the database responds", nil, isNil(probe.ping))
	gauge("migrated", "Whether the database has the migrations that the code needs", nil, isNil(probe.findProblem))
	gauge("connections_max", "Maximum number of connections to the database", nil,
		func() float64 { return float64(db.pool.Stat().MaxConns()) })
	gauge("connections_waiting", "Requests that wait for a connection to the database", nil,
		func() float64 { return float64(db.waiting.Load()) })
	gauge("connections", "Open connections to the database", prometheus.Labels{"state": "idle"},
		func() float64 { return float64(db.pool.Stat().IdleConns()) })
	gauge("connections", "Open connections to the database", prometheus.Labels{"state": "busy"},
		func() float64 { return float64(db.pool.Stat().AcquiredConns()) })
	return promhttp.HandlerFor(prometheus.DefaultGatherer, promhttp.HandlerOpts{})
}

// ping returns an error unless the database responds.
func (p *probe) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	return p.pool.Ping(ctx)
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	return promauto.NewCounterVec(prometheus.CounterOpts{Name: m.Prefix + name, Help: help}, labels)
}

func (m *Metrics) histogram(name, help, label string) *prometheus.HistogramVec {
	options := prometheus.HistogramOpts{Name: m.Prefix + name, Help: help, Buckets: buckets}
	return promauto.NewHistogramVec(options, []string{label})
}

// statementMetrics measures the statements of a pool.
type statementMetrics struct {
	seconds *prometheus.HistogramVec
	failure *prometheus.CounterVec
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
	for word := range strings.FieldsSeq(sql) {
		verb := strings.ToLower(strings.Trim(word, ";"))
		switch {
		case slices.Contains(transactionWords, verb):
			return "transaction"
		case slices.Contains(queryTypes, verb):
			return verb
		}
		break
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
