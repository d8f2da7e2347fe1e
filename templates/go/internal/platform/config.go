package platform

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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
	// Whether DatabaseURL is that of a pooler that gives each transaction a connection.
	IsPooled bool
	// The database itself, if DatabaseURL is that of a pooler: for migrations and the readiness check.
	DatabaseDirectURL string
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
	LogLevel        slog.Level
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

// direct tells how to connect to the database itself, not to a pooler.
func (c Config) direct() Config {
	if c.IsPooled {
		c.DatabaseURL, c.IsPooled = c.DatabaseDirectURL, false
	}
	return c
}

const (
	maxBytes = 1 << 30

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
		CredentialsFile:          e.String("GATEWAY_CREDENTIALS_FILE", "/run/secrets/gateway-credentials"),
		Drain:                    e.Milliseconds("DRAIN_MS", 2000, 0, 60_000),
		ShutdownTimeout:          e.Milliseconds("SHUTDOWN_TIMEOUT_MS", 10_000, 0, 3_600_000),
	}
	switch e.String("DATABASE_POOLER", "") {
	case "":
	case "transaction":
		c.IsPooled = true
		c.DatabaseDirectURL = e.URL("DATABASE_DIRECT_URL", "", "postgres", "postgresql")
	default:
		e.Reject("DATABASE_POOLER", "must be transaction")
	}
	if e.String(collectorVariable, "") != "" {
		c.CollectorURL = e.URL(collectorVariable, "", "http", "https")
	}
	c.TracedFraction = e.Fraction("OTEL_TRACES_SAMPLER_ARG", 1)
	level := e.String("LOG_LEVEL", "info")
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, level) || c.LogLevel.UnmarshalText([]byte(level)) != nil {
		e.Reject("LOG_LEVEL", "must be debug, info, warn or error")
	}
	return c
}

// limitMemory tells the garbage collector the limit of the container, and returns the memory that requests can share.
func limitMemory(e *Environment) int {
	memory := maxBytes
	for _, file := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
		text, _ := os.ReadFile(filepath.Join("/sys/fs/cgroup", file))
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
		debug.SetGCPercent(e.Int("GOGC", 400, 0, math.MaxInt32))
	}
	debug.SetMemoryLimit(e.Bytes("GOMEMLIMIT", limit))
	return memory
}

// Environment reads environment variables. Empty ones count as unset. Err names all invalid ones.
type Environment struct {
	lookup   func(name string) string
	problems []string
}

// NewEnvironment reads variables with a function: os.Getenv, or one of a test.
func NewEnvironment(lookup func(name string) string) *Environment {
	return &Environment{lookup: lookup}
}

// Err returns an error that names all variables that were read and are invalid.
func (e *Environment) Err() error {
	if len(e.problems) == 0 {
		return nil
	}
	return fmt.Errorf("invalid configuration: %s", strings.Join(e.problems, ", "))
}

// Reject tells what is wrong with a variable.
func (e *Environment) Reject(name, problem string) { e.problems = append(e.problems, name+" "+problem) }

// String reads a text.
func (e *Environment) String(name, fallback string) string {
	if value := e.lookup(name); value != "" {
		return value
	}
	return fallback
}

// Required reads a text without a default.
func (e *Environment) Required(name string) string {
	value := e.lookup(name)
	if value == "" {
		e.Reject(name, "is missing")
	}
	return value
}

// Int reads an integer within inclusive bounds.
func (e *Environment) Int(name string, fallback, low, high int) int {
	text := e.lookup(name)
	if text == "" {
		return fallback
	}
	value, err := strconv.Atoi(text)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		e.Reject(name, "must be an integer")
	case value < low:
		e.Reject(name, fmt.Sprintf("must be at least %d", low))
	case value > high:
		e.Reject(name, fmt.Sprintf("must be at most %d", high))
	}
	return value
}

// Milliseconds reads a duration.
func (e *Environment) Milliseconds(name string, fallback, low, high int) time.Duration {
	return time.Duration(e.Int(name, fallback, low, high)) * time.Millisecond
}

// Bytes reads a size in the form of GOMEMLIMIT: 512MiB, or off for the largest one.
func (e *Environment) Bytes(name string, fallback int64) int64 {
	text := e.lookup(name)
	number := strings.TrimRight(text, "BKMGTi")
	shift, isUnit := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[text[len(number):]]
	value, err := strconv.ParseInt(number, 10, 64)
	switch {
	case text == "":
		return fallback
	case text == "off":
		return math.MaxInt64
	case err != nil || !isUnit || value < 0 || value > math.MaxInt64>>shift:
		e.Reject(name, "must be a size such as 512MiB, or off")
	}
	return value << shift
}

// Fraction reads a number from 0 to 1.
func (e *Environment) Fraction(name string, fallback float64) float64 {
	text := e.lookup(name)
	if text == "" {
		return fallback
	}
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || strings.Trim(text, "0123456789.") != "":
		e.Reject(name, "must be a number from 0 to 1")
	case value > 1:
		e.Reject(name, "must be at most 1")
	}
	return value
}

// URL reads an address with one of the schemes.
func (e *Environment) URL(name, fallback string, schemes ...string) string {
	text := e.String(name, fallback)
	parsed, err := url.Parse(text)
	if err != nil || !slices.Contains(schemes, parsed.Scheme) {
		article := "a"
		if schemes[0] == "http" {
			article = "an"
		}
		e.Reject(name, fmt.Sprintf("must be %s %s URL", article, strings.Join(schemes, " or ")))
	}
	return text
}

// envLine is a variable with its value: in quotes, with line breaks, or up to a comment.
var envLine = regexp.MustCompile("(?m)^[ \\t]*(?:export )?([^#=\\s][^=\\n]*)=(?:[ \\t]\\s*)?" +
	"(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|([\"'`].*|[^#\\n]*))")

// loadEnvFile sets the variables of the service's `.env`, which it reads as Node does: in double quotes, `\n` is a line
// break. Compose passes it on in base64, because its own way to read such files differs. Kubernetes mounts the file. What
// else the container sets takes precedence.
func loadEnvFile() error {
	content, err := base64.StdEncoding.DecodeString(os.Getenv("ENV_BASE64"))
	if err != nil {
		return errors.New("ENV_BASE64 is not base64")
	}
	file := os.Getenv("ENV_FILE")
	if file != "" {
		if content, err = os.ReadFile(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if !utf8.Valid(content) {
		return fmt.Errorf("%s is not UTF-8 text", cmp.Or(file, ".env"))
	}
	// Editors on Windows may write a byte order mark.
	text := strings.ReplaceAll(strings.TrimPrefix(string(content), "\uFEFF"), "\r", "")
	variables := map[string]string{}
	for _, match := range envLine.FindAllStringSubmatch(text, -1) {
		name, plain := strings.TrimSpace(match[1]), strings.TrimSpace(match[5])
		variables[name] = strings.ReplaceAll(match[2], `\n`, "\n") + match[3] + match[4] + plain
	}
	for name, value := range variables {
		if _, isSet := os.LookupEnv(name); isSet {
			continue
		}
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("cannot set the variable %s of .env", name)
		}
	}
	return nil
}
