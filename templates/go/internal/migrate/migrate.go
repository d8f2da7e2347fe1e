package migrate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Error says why migrations cannot be applied, in words for the user.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func errorf(format string, values ...any) error { return &Error{fmt.Sprintf(format, values...)} }

// Options of Apply.
type Options struct {
	// Also apply the contract files that otherwise wait for the next deployment.
	All bool
	// Settings of the role in this database.
	Settings map[string]string
	// Called with each thing that happened.
	OnProgress func(text string)
}

const (
	// How long a server may take to accept the connection: one that sleeps until somebody connects takes seconds.
	connectTimeout = 30 * time.Second
	lockRetry      = 250 * time.Millisecond
	lockNotice     = 10 * time.Second
	lockTimeout    = "500ms"
	// For statements that wait without keeping others from the table, and that take long to begin again.
	longLockTimeout  = "60s"
	lockAttempts     = 60
	lockNotAvailable = "55P03"
	tryLock          = "SELECT pg_try_advisory_lock(1886351988, 1768124783)"
)

// setup creates the table of applied migrations, and what runs a file and records it: one statement and so one
// transaction, which nothing in the file can leave, because Postgres refuses `COMMIT` and the like in functions.
func setup(schema string) string {
	return `
	CREATE TABLE IF NOT EXISTS ` + schema + `."_migration" (
		"name" text PRIMARY KEY,
		"hash" text NOT NULL,
		"schema" text NOT NULL,
		"applied_at" timestamptz NOT NULL DEFAULT now()
	);
	CREATE OR REPLACE FUNCTION ` + schema + `."_apply_migration"(text, text, text, text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE $1;
		INSERT INTO ` + schema + `."_migration" ("name", "hash", "schema") VALUES ($2, $3, $4);
	END
	$$`
}

// Command runs `migrate home`, which applies the migrations of `home-db`, or those of the directory in a third argument.
// `--all` also applies the contract files that otherwise wait for the next deployment. The role gets the settings.
func Command(ctx context.Context, config *pgx.ConnConfig, arguments []string, settings map[string]string) error {
	all := slices.Contains(arguments, "--all")
	arguments = slices.DeleteFunc(arguments, func(each string) bool { return each == "--all" })
	if len(arguments) < 2 || len(arguments) > 3 || arguments[0] != "migrate" {
		return errorf("Missing service. Usage: migrate <service> [<service>-db] [--all]")
	}
	database := arguments[1] + "-db"
	if len(arguments) == 3 {
		database = arguments[2]
	}
	options := Options{All: all, Settings: settings, OnProgress: func(text string) { fmt.Println(text) }}
	return Apply(ctx, config, filepath.Join(database, "migrations"), options)
}

// Apply applies the migrations that the database does not have yet, in the order of their numbers. Each is a
// transaction of its own, so that a failed one changes nothing and the next run continues with it.
func Apply(ctx context.Context, config *pgx.ConnConfig, directory string, options Options) error {
	files, err := readFiles(directory)
	if err != nil {
		return err
	}
	config = config.Copy()
	config.ConnectTimeout = connectTimeout
	config.RuntimeParams["statement_timeout"] = "0"
	config.DialFunc = (&net.Dialer{KeepAlive: time.Minute}).DialContext
	// Statements are not prepared: files change what they would depend on.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return errorf("Could not connect to the database: %v%s", err, PoolerAdvice(err))
	}
	defer func() { _ = conn.Close(ctx) }()
	if options.OnProgress == nil {
		options.OnProgress = func(string) {}
	}
	return (&runner{conn: conn, report: options.OnProgress}).run(ctx, files, options)
}

// PoolerAdvice tells what to do about an error of a pooler that refuses a parameter. Empty for other errors.
func PoolerAdvice(err error) string {
	failure, isAnswer := errors.AsType[*pgconn.PgError](err)
	if !isAnswer || failure.Code != "08P01" && failure.Code != "0A000" {
		return ""
	}
	return ". A pooler refuses what the service sets when it connects: set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL"
}

type runner struct {
	conn   *pgx.Conn
	report func(text string)
	// Where the table is: files can change the `search_path`.
	schema string
}

// setRole sets what new connections of the role to this database begin with.
func (r *runner) setRole(ctx context.Context, settings map[string]string) error {
	for name, value := range settings {
		var statement string
		row := r.conn.QueryRow(ctx, "SELECT format('ALTER ROLE %I IN DATABASE %I SET %I TO %L', "+
			"current_user, current_database(), $1::text, $2::text)", name, value)
		if err := row.Scan(&statement); err != nil {
			return err
		}
		if _, err := r.conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) run(ctx context.Context, files []file, options Options) error {
	if err := r.lock(ctx); err != nil {
		return err
	}
	if err := r.setRole(ctx, options.Settings); err != nil {
		return err
	}
	row := r.conn.QueryRow(ctx, "SELECT coalesce(quote_ident(current_schema()), 'public')")
	if err := row.Scan(&r.schema); err != nil {
		return err
	}
	if err := r.reset(ctx, lockTimeout); err != nil {
		return err
	}
	if err := r.execScript(ctx, setup(r.schema)); err != nil {
		return err
	}
	known, err := rows[Applied](ctx, r.conn, "SELECT name, hash, schema FROM _migration")
	if err != nil {
		return err
	}
	slices.SortStableFunc(known, func(a, b Applied) int { return numberOf(a.Name) - numberOf(b.Name) })
	if err := r.reportChanged(files, known); err != nil {
		return err
	}
	if isAhead, err := r.isAhead(files, known); isAhead || err != nil {
		return err
	}
	isDeployed := len(known) > 0
	var last *Applied
	if isDeployed {
		last = &known[len(known)-1]
	}
	for index, each := range files {
		if slices.ContainsFunc(known, func(a Applied) bool { return a.Name == each.name }) {
			continue
		}
		if err := requireOrder(each, last); err != nil {
			return err
		}
		if each.isContract() && isDeployed {
			isUnused, err := r.isUnused(ctx, files[index:])
			if err != nil {
				return err
			}
			if !options.All && (!isUnused || !isDue(files[:index], known)) && !slices.ContainsFunc(files[index:], isExpand) {
				r.report(each.path + " waits for the next deployment")
				return nil
			}
			if !isUnused {
				return errorf("%s removes what the running code still needs. First deploy the version of the "+
					"project that added this file, or stop the service", each.path)
			}
		}
		began := time.Now()
		if err := r.apply(ctx, each); err != nil {
			return err
		}
		r.report(fmt.Sprintf("Applied %s in %d ms", each.path, time.Since(began).Milliseconds()))
		last = &Applied{each.name, each.hash, each.to}
	}
	return nil
}

// isAhead tells whether a newer version of the project has migrated the database, in a way that this one can work with.
func (r *runner) isAhead(files []file, known []Applied) (bool, error) {
	last := files[len(files)-1]
	var unknown []Applied
	for _, each := range known {
		if !slices.ContainsFunc(files, func(f file) bool { return f.name == each.Name }) {
			unknown = append(unknown, each)
		}
	}
	if len(unknown) == 0 {
		return false, nil
	}
	newest := unknown[len(unknown)-1]
	if slices.ContainsFunc(unknown, func(a Applied) bool { return numberOf(a.Name) <= numberOf(last.name) }) {
		return false, errorf("The database has the migration %s, which this project does not have. It belongs to "+
			"another service or branch, or its file was deleted", unknown[0].Name)
	}
	if !Supports(known, schemaOf(last.to)) {
		return false, errorf("The database has the migration %s of a newer version, and this version cannot work "+
			"with it", newest.Name)
	}
	r.report("The database has the migration " + newest.Name + " of a newer version. This one can work with it")
	return true, nil
}

// isUnused tells whether no code is running that needs what a contract file removes. Services name their schema when
// they connect.
func (r *runner) isUnused(ctx context.Context, later []file) (bool, error) {
	running, err := r.conn.Query(ctx, `
		SELECT DISTINCT substr(application_name, 9) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name LIKE 'portico %'`)
	if err != nil {
		return false, err
	}
	schemas, err := pgx.CollectRows(running, pgx.RowTo[string])
	for _, schema := range schemas {
		if !slices.ContainsFunc(later, func(f file) bool { return strings.HasPrefix(f.to, schema) }) {
			return false, err
		}
	}
	return true, err
}

// lock tries again instead of waiting in the database, which would block `CREATE INDEX CONCURRENTLY` of the other.
func (r *runner) lock(ctx context.Context) error {
	for waited := time.Duration(0); ; waited += lockRetry {
		var isLocked bool
		if err := r.conn.QueryRow(ctx, tryLock).Scan(&isLocked); err != nil || isLocked {
			return err
		}
		if waited%lockNotice == 0 {
			r.report("Waiting for another process that applies migrations")
		}
		time.Sleep(lockRetry)
	}
}

func (r *runner) reportChanged(files []file, known []Applied) error {
	for _, each := range known {
		index := slices.IndexFunc(files, func(f file) bool { return f.name == each.Name })
		if index < 0 || files[index].hash == each.Hash {
			continue
		}
		if files[index].to != each.Schema {
			return errorf("%s was changed after it was applied and now leads to another schema. Applied "+
				"migrations do not run again: restore the file and write a new one", files[index].path)
		}
		r.report(files[index].path + " was changed after it was applied. It does not run again")
	}
	return nil
}

// reset ends what a file has set.
func (r *runner) reset(ctx context.Context, lockTimeout string) error {
	return r.execScript(ctx, "RESET ALL; SET statement_timeout = 0; SET lock_timeout = '"+lockTimeout+"'")
}

func (r *runner) apply(ctx context.Context, f file) error {
	for attempt := 1; ; attempt++ {
		err := r.attempt(ctx, f)
		if err == nil {
			return nil
		}
		failure, isPostgres := errors.AsType[*pgconn.PgError](err)
		if !isPostgres || failure.Code != lockNotAvailable || attempt == lockAttempts {
			return problem(f, err)
		}
		r.report(f.path + " waits for a table that is in use")
		time.Sleep(lockRetry * time.Duration(min(attempt, 20)))
	}
}

func (r *runner) attempt(ctx context.Context, f file) error {
	timeout := lockTimeout
	if !f.inTransaction {
		timeout = longLockTimeout
	}
	if err := r.reset(ctx, timeout); err != nil {
		return err
	}
	if f.inTransaction {
		_, err := r.conn.Exec(ctx, "SELECT "+r.schema+`."_apply_migration"($1, $2, $3, $4)`, f.sql, f.name, f.hash, f.to)
		return err
	}
	type index struct{ Name string }
	invalid, err := rows[index](ctx, r.conn, `
		SELECT relname::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
		WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace`)
	if err != nil {
		return err
	}
	// An interrupted run leaves an index that is not valid, and that would count as existing.
	for _, each := range invalid {
		if !strings.Contains(f.sql, each.Name) {
			continue
		}
		if _, err := r.conn.Exec(ctx, "DROP INDEX CONCURRENTLY "+pgx.Identifier{each.Name}.Sanitize()); err != nil {
			return err
		}
	}
	// Postgres refuses several statements in one message of this protocol.
	if result := r.conn.PgConn().ExecParams(ctx, f.sql, nil, nil, nil, nil).Read(); result.Err != nil {
		return result.Err
	}
	if err := r.reset(ctx, lockTimeout); err != nil {
		return err
	}
	_, err = r.conn.Exec(ctx, "INSERT INTO "+r.schema+`."_migration" ("name", "hash", "schema") VALUES ($1, $2, $3)`,
		f.name, f.hash, f.to)
	return err
}

// problem is what Postgres says about a file, with the line where it knows one.
func problem(f file, err error) error {
	failure, isPostgres := errors.AsType[*pgconn.PgError](err)
	if !isPostgres {
		return errorf("%s: %v", f.path, err)
	}
	position := failure.Position
	if f.inTransaction {
		position = 0
		// That of a statement in a function is in another text.
		if failure.InternalQuery == f.sql {
			position = failure.InternalPosition
		}
	}
	if position == 0 {
		return errorf("%s: %s", f.path, failure.Message)
	}
	before := string([]rune(f.sql)[:position-1])
	line := strings.Count(before, "\n")
	text := strings.TrimSpace(strings.Split(f.sql, "\n")[line])
	return errorf("%s, line %d: %s\n  %s", f.path, line+1, failure.Message, text)
}

// execScript runs several statements.
func (r *runner) execScript(ctx context.Context, sql string) error {
	_, err := r.conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	return err
}

func rows[T any](ctx context.Context, conn *pgx.Conn, sql string) ([]T, error) {
	found, err := conn.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, pgx.RowToStructByPos[T])
}

func isExpand(f file) bool { return !f.isContract() }

// isDue tells whether the expand files before a contract file were applied by an earlier run.
func isDue(before []file, known []Applied) bool {
	for _, each := range slices.Backward(before) {
		if isExpand(each) {
			return slices.ContainsFunc(known, func(a Applied) bool { return a.Name == each.name })
		}
	}
	return true
}

func requireOrder(f file, last *Applied) error {
	switch {
	case last == nil && f.from != "none":
		return errorf("%s does not start from an empty database", f.path)
	case last == nil:
		return nil
	case numberOf(f.name) <= numberOf(last.Name):
		return errorf("%s comes before %s, which is already applied", f.path, last.Name)
	case f.from != last.Schema:
		return errorf("%s does not start from the schema that %s leads to", f.path, last.Name)
	}
	return nil
}
