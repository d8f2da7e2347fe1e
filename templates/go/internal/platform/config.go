package platform

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is what every service reads from the environment.
type Config struct {
	Host string
	Port int
	// Port of health checks and of requests from other services. The gateway never calls it.
	InternalPort int
	// Port of `/metrics`, with `#metrics`. Only Prometheus calls it.
	MetricsPort int
	DatabaseURL string
	// File with the password, for a URL without one.
	DatabasePasswordFile string
	DatabasePoolSize     int
	// How long a request waits for a free connection of the pool, or a new one.
	ConnectTimeout   time.Duration
	StatementTimeout time.Duration
	// How long a transaction may wait for its next statement.
	IdleInTransactionTimeout time.Duration
	// How long a connection stays in the pool without use.
	IdleTimeout time.Duration
	// How long a call of another service may take, with all attempts.
	ServiceTimeout time.Duration
	MaxBodyBytes   int
	// Limits all bodies at one time.
	MaxBodyBytesInFlight int
	// Limits what clients have not received of all responses. Above it, the slowest ones lose their connection.
	MaxUnsentBytes  int
	LogLevel        string
	CredentialsFile string
	// Where spans are sent: the address of an OpenTelemetry collector.
	CollectorURL string
	// The fraction of traces that are recorded. A request that continues a trace is recorded if the trace is.
	TracedFraction float64
	// How long requests are still accepted after SIGTERM, so that the gateway can notice.
	Drain time.Duration
	// How long requests may take to finish after that.
	ShutdownTimeout time.Duration
}

// responseTimeout is how long clients wait for the end of a statement. After that, the server must be frozen or
// unreachable.
func (c Config) responseTimeout() time.Duration { return c.StatementTimeout + responseMargin }

const (
	maxBytes  = 1 << 30
	gcPercent = 400

	collectorVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"
)

// ReadConfig reads the configuration, with the defaults of a service.
func ReadConfig(e *Environment, databaseURL string, maxBodyBytes int) Config {
	memory := limitMemory(e)
	c := Config{
		Host:                     e.String("HOST", "0.0.0.0"),
		Port:                     e.Int("PORT", 8080, 0, math.MaxUint16),
		InternalPort:             e.Int("INTERNAL_PORT", 8081, 0, math.MaxUint16),
		MetricsPort:              e.Int("METRICS_PORT", 8082, 0, math.MaxUint16),
		DatabaseURL:              e.URL("DATABASE_URL", databaseURL, "postgres", "postgresql"),
		DatabasePasswordFile:     e.String("DATABASE_PASSWORD_FILE", ""),
		DatabasePoolSize:         e.Int("DATABASE_POOL_SIZE", 10, 1, 1000),
		ConnectTimeout:           e.Milliseconds("DATABASE_CONNECT_TIMEOUT_MS", 2000, 1, 60_000),
		StatementTimeout:         e.Milliseconds("DATABASE_STATEMENT_TIMEOUT_MS", 4000, 1, 3_600_000),
		IdleInTransactionTimeout: e.Milliseconds("DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS", 10_000, 1, 3_600_000),
		IdleTimeout:              e.Milliseconds("DATABASE_IDLE_TIMEOUT_MS", 60_000, 1, 3_600_000),
		ServiceTimeout:           e.Milliseconds("SERVICE_TIMEOUT_MS", 2000, 1, 300_000),
		MaxBodyBytes:             e.Int("MAX_BODY_BYTES", maxBodyBytes, 1, maxBytes),
		MaxBodyBytesInFlight:     e.Int("MAX_BODY_BYTES_IN_FLIGHT", memory/16, 1, maxBytes),
		MaxUnsentBytes:           e.Int("MAX_UNSENT_BYTES", memory/8, 1, maxBytes),
		LogLevel:                 e.String("LOG_LEVEL", "info"),
		CredentialsFile:          e.String("GATEWAY_CREDENTIALS_FILE", "/run/secrets/gateway-credentials"),
		Drain:                    e.Milliseconds("DRAIN_MS", 2000, 0, 60_000),
		ShutdownTimeout:          e.Milliseconds("SHUTDOWN_TIMEOUT_MS", 10_000, 0, 3_600_000),
	}
	if e.String(collectorVariable, "") != "" {
		c.CollectorURL = e.URL(collectorVariable, "", "http", "https")
	}
	c.TracedFraction = e.Fraction("OTEL_TRACES_SAMPLER_ARG", 1)
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel) {
		e.Reject("LOG_LEVEL", "must be debug, info, warn or error")
	}
	return c
}

// limitMemory tells the garbage collector the limit of the container, and returns the memory that requests can share.
func limitMemory(e *Environment) int {
	memory := maxBytes
	for _, file := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(filepath.Join("/sys/fs/cgroup", file))
		if err != nil {
			continue
		}
		if limit, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && limit < memory {
			memory = limit
		}
	}
	limit := int64(math.MaxInt64)
	if memory < maxBytes {
		limit = int64(memory) * 9 / 10
	}
	// The runtime has read these variables before `.env`. The heap of a service is small, so that by default it would be
	// collected hundreds of times a second.
	if e.String("GOGC", "") == "off" {
		debug.SetGCPercent(-1)
	} else {
		debug.SetGCPercent(e.Int("GOGC", gcPercent, 0, math.MaxInt32))
	}
	debug.SetMemoryLimit(e.Bytes("GOMEMLIMIT", limit))
	return memory
}
