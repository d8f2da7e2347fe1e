package platform

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/project/internal/migrate"
)

// probe is the readiness check. Its connection, which stays open, tells the migration runner which code is running.
type probe struct {
	pool    *pgxpool.Pool
	hash    string
	timeout time.Duration
}

// As much of the hash as a name in Postgres has room for.
const namedHashLength = 32

func newProbe(config Config, hash string) (*probe, error) {
	options, err := poolConfig(config)
	if err != nil {
		return nil, err
	}
	options.MaxConns = 1
	options.MinConns = 1
	options.MaxConnIdleTime = math.MaxInt64
	options.MaxConnLifetime = math.MaxInt64
	options.ConnConfig.RuntimeParams["application_name"] = "portico " + hash[:namedHashLength]
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

// isUp tells whether the database responds.
func (p *probe) isUp(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	_, err := p.pool.Exec(ctx, "SELECT", pgx.QueryExecModeExec)
	return err == nil
}

func (p *probe) close() { p.pool.Close() }
