package platform

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// How much longer than a statement may take clients wait: then the server must be frozen or unreachable.
	responseMargin = 500 * time.Millisecond
	conflictPause  = 50 * time.Millisecond
)

// What changes the meaning of statements. The server, the database and the role can have other settings. Which schema
// has the tables (`search_path`) is up to them.
var sessionSettings = map[string]string{
	"client_encoding":             "UTF8",
	"DateStyle":                   "ISO,MDY",
	"IntervalStyle":               "postgres",
	"TimeZone":                    "UTC",
	"bytea_output":                "hex",
	"extra_float_digits":          "1",
	"array_nulls":                 "on",
	"standard_conforming_strings": "on",
	"transform_null_equals":       "off",
	// A statement that has waited for a lock sees what the other transaction has written.
	"default_transaction_isolation": "read committed",
}

// ConnConfig tells how to connect to a database.
func ConnConfig(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		// The error of pgx has parts of the address.
		return nil, errors.New("DATABASE_URL is invalid")
	}
	maps.Copy(config.RuntimeParams, sessionSettings)
	return config, nil
}

// connConfig tells how to connect with the configured password.
func connConfig(config Config) (*pgx.ConnConfig, error) {
	address, err := url.Parse(config.DatabaseURL)
	if err != nil {
		return nil, errors.New("DATABASE_URL is invalid")
	}
	if password, _ := address.User.Password(); password == "" && config.DatabasePasswordFile != "" {
		password, err := os.ReadFile(config.DatabasePasswordFile)
		if err != nil {
			return nil, err
		}
		text := strings.TrimRightFunc(string(password), unicode.IsSpace)
		address.User = url.UserPassword(address.User.Username(), text)
	}
	return ConnConfig(address.String())
}

// NewConn opens a connection of its own, on which statements may take any time.
func NewConn(ctx context.Context, config Config) (*pgx.Conn, error) {
	options, err := connConfig(config)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, options)
	if err == nil {
		registerTypes(conn.TypeMap())
	}
	return conn, err
}

// statementTracer observes all statements of services, if there are metrics.
var statementTracer pgx.QueryTracer

// poolConfig tells how to create a pool.
func poolConfig(config Config) (*pgxpool.Config, error) {
	options, err := connConfig(config)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, err
	}
	pool.ConnConfig = options
	pool.MaxConns = int32(config.DatabasePoolSize)
	pool.MaxConnIdleTime = config.IdleTimeout
	options.ConnectTimeout = config.ConnectTimeout
	parameters := options.RuntimeParams
	parameters["statement_timeout"] = strconv.FormatInt(config.StatementTimeout.Milliseconds(), 10)
	parameters["idle_in_transaction_session_timeout"] = strconv.FormatInt(config.IdleInTransactionTimeout.Milliseconds(), 10)
	dialer := &net.Dialer{KeepAlive: time.Minute}
	options.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &impatientConn{Conn: conn, timeout: config.responseTimeout()}, nil
	}
	pool.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		registerTypes(conn.TypeMap())
		return nil
	}
	return pool, nil
}

// impatientConn fails when the server does not answer. Contexts with a deadline would cost a goroutine a statement.
type impatientConn struct {
	net.Conn
	timeout time.Duration
	// pgx sets deadlines while it connects, and to cancel.
	isSet atomic.Bool
}

func (c *impatientConn) SetDeadline(at time.Time) error {
	c.isSet.Store(!at.IsZero())
	return c.Conn.SetDeadline(at)
}

func (c *impatientConn) Read(buffer []byte) (int, error) {
	if !c.isSet.Load() {
		if err := c.SetReadDeadline(time.Now().Add(c.timeout)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(buffer)
}
