package main

import (
	"context"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
)

const defaultPoolSize = 10

func connect(ctx context.Context) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	config.MaxConns = defaultPoolSize
	if size, err := strconv.Atoi(os.Getenv("DATABASE_POOL_SIZE")); err == nil {
		config.MaxConns = int32(size)
	}
	config.ConnConfig.RuntimeParams["statement_timeout"] = "4000"
	return pgxpool.NewWithConfig(ctx, config)
}
