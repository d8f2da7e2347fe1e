package platform

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB runs statements: on the transaction of the context, or else on a connection of the pool. Statements are prepared
// once a connection.
type DB struct {
	pool *pgxpool.Pool
	log  *slog.Logger
	// How many requests wait for a connection.
	waiting atomic.Int64
	// How long they may.
	connectTimeout time.Duration
	// How long a transaction may do nothing. After that, Postgres has ended it.
	maxIdle time.Duration
}

// Connect creates the pool of a service. Connections are opened when statements need them.
func Connect(ctx context.Context, config Config, log *slog.Logger) (*DB, error) {
	options, err := poolConfig(config)
	if err != nil {
		return nil, err
	}
	options.ConnConfig.Tracer = statementTracer
	pool, err := pgxpool.NewWithConfig(ctx, options)
	if err != nil {
		return nil, err
	}
	return &DB{
		pool:           pool,
		log:            log,
		connectTimeout: config.ConnectTimeout,
		maxIdle:        config.IdleInTransactionTimeout + responseMargin,
	}, nil
}

// Close closes the pool when no statement runs.
func (db *DB) Close() { db.pool.Close() }

// Conn runs statements: a connection of the pool, or a transaction.
type Conn interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// Callback is what runs after a transaction, or when the service stops.
type Callback = func(ctx context.Context) error

// transaction is what the context of a transaction has. It takes a connection for its first statement.
type transaction struct {
	db *DB
	// Whether a statement that no hook sends is the only one, which needs no transaction.
	isSingle bool
	// A connection runs one statement at a time.
	mutex       sync.Mutex
	conn        *pgxpool.Conn
	tx          pgx.Tx
	hasEnded    bool
	afterCommit []Callback
	// Postgres ends transactions that do nothing.
	idle *time.Timer
	lost chan struct{}
}

type transactionKey struct{}

func transactionOf(ctx context.Context) *transaction {
	t, _ := ctx.Value(transactionKey{}).(*transaction)
	return t
}

// Use runs work on the connection of the transaction, or on one of the pool. The work ends before Use returns, and uses
// no other connection.
func (db *DB) Use(ctx context.Context, work func(Conn) error) error {
	if t := transactionOf(ctx); t != nil && !t.isAlone(ctx) {
		return t.use(ctx, work)
	}
	return retry(func() error {
		conn, err := db.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		return reached(conn.Conn(), work(conn))
	})
}

// isAlone tells whether a statement needs no transaction, because no other comes before or after it.
func (t *transaction) isAlone(ctx context.Context) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.isSingle && t.tx == nil && !isInHook(ctx)
}

func (t *transaction) use(ctx context.Context, work func(Conn) error) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.hasEnded {
		return errors.New("the transaction has ended")
	}
	if t.tx == nil {
		if err := t.begin(ctx); err != nil {
			return err
		}
	}
	t.idle.Stop()
	defer t.idle.Reset(t.db.maxIdle)
	return reached(t.tx.Conn(), work(t.tx))
}

func (t *transaction) begin(ctx context.Context) error {
	conn, err := t.db.acquire(ctx)
	if err != nil {
		return err
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		defer conn.Release()
		return reached(conn.Conn(), err)
	}
	t.conn, t.tx = conn, tx
	t.idle = time.AfterFunc(t.db.maxIdle, sync.OnceFunc(func() { close(t.lost) }))
	return nil
}

// end commits what the work has done, or takes it back after an error.
func (t *transaction) end(ctx context.Context, err error) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.hasEnded {
		return err
	}
	t.hasEnded = true
	if t.tx == nil {
		return err
	}
	defer t.conn.Release()
	t.idle.Stop()
	if err != nil {
		_ = t.tx.Rollback(ctx)
	} else {
		err = t.tx.Commit(ctx)
	}
	return reached(t.conn.Conn(), err)
}

// abandon closes the connection of work that never ends. The pool may open another one.
func (t *transaction) abandon() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.hasEnded {
		t.hasEnded = true
		_ = t.conn.Hijack().PgConn().Conn().Close()
	}
}

func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, db.connectTimeout)
	defer cancel()
	db.waiting.Add(1)
	defer db.waiting.Add(-1)
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, unreachable{err}
	}
	return conn, nil
}

// Rows runs a statement and reads its rows. Without a database, there are none.
func Rows[T any](ctx context.Context, db *DB, scan pgx.RowToFunc[T], sql string, args ...any) (found []T, err error) {
	if db == nil {
		return nil, nil
	}
	err = db.Use(ctx, func(conn Conn) error {
		rows, err := conn.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, scan)
		return err
	})
	return found, err
}

// Row runs a statement and reads its row. Returns ErrNotFound without one.
func Row[T any](ctx context.Context, db *DB, scan pgx.RowToFunc[T], sql string, args ...any) (found T, err error) {
	rows, err := Rows(ctx, db, scan, sql, args...)
	switch {
	case err != nil:
		return found, err
	case len(rows) == 0:
		return found, ErrNotFound
	}
	return rows[0], nil
}

// Exec runs a statement. Returns how many rows it has changed.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (count int64, err error) {
	err = db.Use(ctx, func(conn Conn) error {
		tag, err := conn.Exec(ctx, sql, args...)
		count = tag.RowsAffected()
		return err
	})
	return count, err
}

// Transaction runs work in a transaction, which an error rolls back; a second time after a conflict with another one.
// Statements with the context of the work belong to the transaction. Within a transaction, the work becomes part of it.
func (db *DB) Transaction(ctx context.Context, work func(ctx context.Context) error) error {
	return db.transaction(ctx, false, work)
}

func (db *DB) transaction(ctx context.Context, isSingle bool, work func(ctx context.Context) error) error {
	if transactionOf(ctx) != nil {
		return work(ctx)
	}
	var callbacks []Callback
	err := retry(func() (err error) {
		callbacks, err = db.attempt(ctx, isSingle, work)
		return err
	})
	if err != nil {
		return err
	}
	for _, callback := range callbacks {
		db.runCallback(ctx, callback)
	}
	return nil
}

// Savepoint runs work in a part of the transaction of the context, which an error rolls back without ending the
// transaction; outside of a transaction, in one of its own.
func (db *DB) Savepoint(ctx context.Context, work func(ctx context.Context) error) error {
	if transactionOf(ctx) == nil {
		return db.Transaction(ctx, work)
	}
	if _, err := db.Exec(ctx, "savepoint part"); err != nil {
		return err
	}
	err := work(ctx)
	if err != nil {
		if _, lost := db.Exec(ctx, "rollback to savepoint part"); lost != nil {
			return errors.Join(err, lost)
		}
	}
	_, lost := db.Exec(ctx, "release savepoint part")
	return cmp.Or(err, lost)
}

// panicked is a panic of another goroutine.
type panicked struct {
	cause any
	stack []byte
}

// attempt runs work in a transaction. Returns what AfterCommit has registered. The work may never end: then it is left
// behind, with its connection, which Postgres has closed.
func (db *DB) attempt(
	ctx context.Context, isSingle bool, work func(ctx context.Context) error,
) ([]Callback, error) {
	type outcome struct {
		err       error
		callbacks []Callback
		panicked  *panicked
	}
	t := &transaction{db: db, isSingle: isSingle, lost: make(chan struct{})}
	ended := make(chan outcome, 1)
	go func() {
		var result outcome
		defer func() {
			if cause := recover(); cause != nil {
				result.panicked = &panicked{cause, debug.Stack()}
				result.err = errors.New("panic")
			}
			result.err = t.end(ctx, result.err)
			ended <- result
		}()
		result.err = work(context.WithValue(ctx, transactionKey{}, t))
		result.callbacks = t.afterCommit
	}()
	select {
	case result := <-ended:
		if result.panicked != nil {
			panic(result.panicked)
		}
		return result.callbacks, result.err
	case <-t.lost:
		t.abandon()
		return nil, unreachable{errors.New("the transaction did nothing for too long")}
	}
}

// Outside returns a context whose statements do not belong to the transaction.
func Outside(ctx context.Context) context.Context {
	return context.WithValue(ctx, transactionKey{}, (*transaction)(nil))
}

// AfterCommit calls a function after the transaction is committed, or immediately outside of a transaction.
func (db *DB) AfterCommit(ctx context.Context, callback Callback) {
	t := transactionOf(ctx)
	if t == nil {
		db.runCallback(ctx, callback)
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.hasEnded {
		db.log.ErrorContext(ctx, "AfterCommit was called after the end of its transaction")
		return
	}
	t.afterCommit = append(t.afterCommit, callback)
}

func (db *DB) runCallback(ctx context.Context, callback Callback) {
	if err := protected(ctx, callback); err != nil {
		db.log.ErrorContext(ctx, "A function registered with AfterCommit failed", errorAttr(err))
	}
}

// retry runs something again: once after a conflict with another transaction, and while prepared statements are
// invalid because a migration has changed a column.
func retry(run func() error) error {
	isLast := false
	for {
		err := run()
		failure, isPostgres := errors.AsType[*pgconn.PgError](err)
		switch {
		case !isPostgres:
			return err
		case failure.Routine == "RevalidateCachedQuery":
		case !isLast && (failure.Code == "40001" || failure.Code == "40P01"):
			isLast = true
			// A random pause keeps the same two from meeting again.
			time.Sleep(conflictPause + rand.N(conflictPause))
		default:
			return err
		}
	}
}

// OnViolation replaces the violation of one of the constraints by an error for the client.
func OnViolation(err, replacement error, constraints ...string) error {
	if slices.Contains(constraints, ViolatedConstraint(err)) {
		return replacement
	}
	return err
}

// ViolatedConstraint returns the constraint that an error of the database says is violated, or an empty string.
func ViolatedConstraint(err error) string {
	failure, isPostgres := errors.AsType[*pgconn.PgError](err)
	if !isPostgres || !strings.HasPrefix(failure.Code, "23") {
		return ""
	}
	return failure.ConstraintName
}
