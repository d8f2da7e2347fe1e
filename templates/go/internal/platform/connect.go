package platform

import (
	"context"
	"errors"
	"maps"
	"math"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/project/internal/migrate"
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

// ParseURL tells how to connect to a database.
func ParseURL(address string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		// The error of pgx has parts of the address.
		return nil, errors.New("DATABASE_URL is invalid")
	}
	maps.Copy(config.ConnConfig.RuntimeParams, sessionSettings)
	return config, nil
}

// configured tells how to connect with the configured password.
func configured(config Config) (*pgxpool.Config, error) {
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
	pool, err := ParseURL(address.String())
	if err == nil && config.IsPooled {
		// Poolers refuse other parameters, which the role has, and give the next transaction another connection.
		pool.ConnConfig.RuntimeParams = map[string]string{"client_encoding": "UTF8"}
		pool.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return pool, err
}

// roleSettings returns the settings of the role, with a pooler: those that connections would have.
func (c Config) roleSettings() map[string]string {
	if !c.IsPooled {
		return nil
	}
	settings := c.timeouts()
	maps.Copy(settings, sessionSettings)
	return settings
}

func (c Config) timeouts() map[string]string {
	return map[string]string{
		"statement_timeout":                   strconv.FormatInt(c.StatementTimeout.Milliseconds(), 10),
		"idle_in_transaction_session_timeout": strconv.FormatInt(c.IdleInTransactionTimeout.Milliseconds(), 10),
	}
}

// NewConn opens a connection of its own, on which statements may take any time.
func NewConn(ctx context.Context, config Config) (*pgx.Conn, error) {
	options, err := configured(config.direct())
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, options.ConnConfig)
	if err == nil {
		registerTypes(conn.TypeMap())
	}
	return conn, err
}

// statementTracer observes all statements of services, if there are metrics.
var statementTracer pgx.QueryTracer

// poolConfig tells how to create a pool.
func poolConfig(config Config) (*pgxpool.Config, error) {
	pool, err := configured(config)
	if err != nil {
		return nil, err
	}
	options := pool.ConnConfig
	pool.MaxConns = int32(config.DatabasePoolSize)
	pool.MaxConnIdleTime = config.IdleTimeout
	options.ConnectTimeout = config.ConnectTimeout
	if !config.IsPooled {
		maps.Copy(options.RuntimeParams, config.timeouts())
	}
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

// registerTypes tells pgx how values are read and written.
func registerTypes(types *pgtype.Map) {
	instants := &pgtype.TimestamptzCodec{ScanLocation: time.UTC}
	types.RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: instants})
	// In the binary form, zero has no digits after the point.
	numbers := &pgtype.TextFormatOnlyCodec{Codec: pgtype.NumericCodec{}}
	types.RegisterType(&pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numbers})
	many := &pgtype.ArrayCodec{ElementType: &pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numbers}}
	types.RegisterType(&pgtype.Type{Name: "_numeric", OID: pgtype.NumericArrayOID, Codec: many})
	types.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}})
}

// uuidCodec reads and writes uuid.UUID as bytes. pgx would do so as text, because it implements the interfaces of
// database/sql.
type uuidCodec struct{ pgtype.UUIDCodec }

// PlanScan tells how to read a column.
func (c uuidCodec) PlanScan(types *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, isUUID := target.(*uuid.UUID); isUUID && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanScan(types, oid, format, target)
}

// PlanEncode tells how to write a parameter.
func (c uuidCodec) PlanEncode(types *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, isUUID := value.(uuid.UUID); isUUID && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanEncode(types, oid, format, value)
}

type uuidPlan struct{}

func (uuidPlan) Scan(source []byte, target any) error {
	if len(source) != len(uuid.UUID{}) {
		return errors.New("cannot scan NULL into a UUID")
	}
	copy(target.(*uuid.UUID)[:], source)
	return nil
}

func (uuidPlan) Encode(value any, buffer []byte) ([]byte, error) {
	id := value.(uuid.UUID)
	return append(buffer, id[:]...), nil
}

// probe is the readiness check. Its connection, which stays open, tells the migration runner which code is running.
type probe struct {
	pool    *pgxpool.Pool
	hash    string
	timeout time.Duration
}

func newProbe(config Config, hash string) (*probe, error) {
	options, err := poolConfig(config.direct())
	if err != nil {
		return nil, err
	}
	options.MaxConns = 1
	options.MinConns = 1
	options.MaxConnIdleTime = math.MaxInt64
	options.MaxConnLifetime = math.MaxInt64
	// A name in Postgres has room for half of the hash.
	options.ConnConfig.RuntimeParams["application_name"] = "portico " + hash[:len(hash)/2]
	pool, err := pgxpool.NewWithConfig(context.Background(), options)
	return &probe{pool, hash, config.responseTimeout()}, err
}

// findProblem returns why the code cannot work with the database.
func (p *probe) findProblem(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	rows, err := p.pool.Query(ctx, "SELECT name, hash, schema FROM _migration", pgx.QueryExecModeExec)
	if err != nil {
		return err
	}
	applied, err := pgx.CollectRows(rows, pgx.RowToStructByPos[migrate.Applied])
	if err != nil {
		return err
	}
	if !migrate.Supports(applied, p.hash) {
		return errors.New("migrations are missing")
	}
	return nil
}

// unreachable is the error of a statement to which the server did not answer.
type unreachable struct{ error }

func (e unreachable) Unwrap() error { return e.error }

func reached(conn *pgx.Conn, err error) error {
	_, isAnswer := errors.AsType[*pgconn.PgError](err)
	if err == nil || isAnswer || !conn.IsClosed() {
		return err
	}
	return unreachable{err}
}

// SQLSTATEs of a database that is unreachable, overloaded, read-only, stopping or too slow.
var unavailableStates = []string{"08", "25006", "25P03", "25P04", "28", "40", "53", "57"}

// isUnavailable tells whether a statement failed because the database does not respond, or too slowly.
func isUnavailable(err error) bool {
	if failure, isPostgres := errors.AsType[*pgconn.PgError](err); isPostgres {
		return slices.ContainsFunc(unavailableStates, func(state string) bool { return strings.HasPrefix(failure.Code, state) })
	}
	_, isUnreachable := errors.AsType[unreachable](err)
	return isUnreachable
}
