package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.OnStop(func(context.Context) error { panic("s3cret of a panic") })
	env.OnStop(func(context.Context) error { return errors.New("Rejected while stopping") })
	env.OnStop(func(ctx context.Context) error {
		accounts, err := env.Datastore.ListAuth(ctx)
		env.Log.Info("my cleanup", "isArray", accounts != nil)
		return err
	})
	router.Handle("GET /auth/body", func(w http.ResponseWriter, r *http.Request) error {
		if _, err := w.Write([]byte("first")); err != nil {
			return err
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return err
		}
		return env.Datastore.CreateAuth(r.Context(), Auth{ID: uuid.Max, Email: "s3cret@example.org", PasswordHash: "short"})
	})
	router.Handle("POST /auth/broken", func(w http.ResponseWriter, _ *http.Request) error {
		go func() { panic("Broken in a goroutine") }()
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	return nil
}
