package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/p/internal/platform"
)

func setup(ctx context.Context, env *Env, router *platform.Router) error {
	router.Handle("GET /home/{id}/custom", func(w http.ResponseWriter, _ *http.Request) error {
		return platform.JSON(w, http.StatusOK, map[string]string{})
	})
	router.Handle("GET /home/{id}/slow", func(w http.ResponseWriter, _ *http.Request) error {
		time.Sleep(60 * time.Millisecond)
		return platform.JSON(w, http.StatusOK, map[string]string{})
	})
	router.Handle("GET /home/{id}/failing", func(http.ResponseWriter, *http.Request) error {
		return errors.New("failed")
	})
	return documented(ctx, env, router)
}
