package main

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	db := env.Datastore.db
	sleep := func(ctx context.Context, seconds float64) error {
		_, err := db.Exec(ctx, `SELECT pg_sleep($1)`, seconds)
		return err
	}
	handle := func(pattern string, run func(ctx context.Context, r *http.Request) error) {
		router.Handle(pattern, func(w http.ResponseWriter, r *http.Request) error {
			if err := run(r.Context(), r); err != nil {
				return err
			}
			return platform.JSON(w, http.StatusOK, struct{}{})
		})
	}
	handle("GET /thing/sleep/{seconds}", func(ctx context.Context, r *http.Request) error {
		seconds, err := strconv.ParseFloat(r.PathValue("seconds"), 64)
		if err != nil {
			return err
		}
		return sleep(ctx, seconds)
	})
	handle("GET /thing/pause/{milliseconds}", func(ctx context.Context, r *http.Request) error {
		milliseconds, err := strconv.Atoi(r.PathValue("milliseconds"))
		if err != nil {
			return err
		}
		return env.Transaction(ctx, func(ctx context.Context) error {
			if err := sleep(ctx, 0); err != nil {
				return err
			}
			time.Sleep(time.Duration(milliseconds) * time.Millisecond)
			return sleep(ctx, 0)
		})
	})
	handle("GET /thing/parallel", func(ctx context.Context, _ *http.Request) error {
		return env.Transaction(ctx, func(ctx context.Context) error {
			errs := make([]error, 15)
			var group sync.WaitGroup
			for index := range errs {
				group.Go(func() { errs[index] = sleep(ctx, 0.1) })
			}
			group.Wait()
			return cmp.Or(errs...)
		})
	})
	handle("GET /thing/unsendable", func(ctx context.Context, _ *http.Request) error {
		_, err := db.Exec(ctx, `SELECT $1::jsonb`, func() {})
		return err
	})
	router.Handle("POST /thing/note", func(w http.ResponseWriter, r *http.Request) error {
		var body struct{ Value json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return err
		}
		type note struct {
			Kind  string          `json:"kind"`
			Value json.RawMessage `json:"value"`
		}
		stored, err := platform.Row(r.Context(), db, pgx.RowToStructByPos[note],
			`INSERT INTO note (value) VALUES ($1) RETURNING jsonb_typeof(value), value`, body.Value)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, stored)
	})
	return nil
}
