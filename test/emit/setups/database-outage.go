package main

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	create := func(ctx context.Context, text string) error {
		_, err := env.Datastore.CreateThing(ctx, Thing{ID: platform.NewID(), Text: text})
		return err
	}
	router.Handle("POST /thing/waiting-transaction", func(w http.ResponseWriter, r *http.Request) error {
		err := env.Transaction(r.Context(), func(ctx context.Context) error {
			if err := create(ctx, "not committed"); err != nil {
				return err
			}
			time.Sleep(11 * time.Second)
			return create(ctx, "not committed")
		})
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("GET /thing/connection", func(w http.ResponseWriter, r *http.Request) error {
		pid, err := platform.Row(r.Context(), env.Datastore.db, pgx.RowTo[int],
			`SELECT pg_backend_pid() FROM pg_sleep(0.5)`)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]int{"pid": pid})
	})
	router.Handle("POST /thing/transaction", func(w http.ResponseWriter, r *http.Request) error {
		err := env.Transaction(r.Context(), func(ctx context.Context) error { return create(ctx, "x") })
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	return nil
}
