package main

import (
	"context"
	"net/http"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, _ *Env, router *platform.Router) error {
	router.Handle("DELETE /home/all", func(w http.ResponseWriter, _ *http.Request) error {
		return platform.JSON(w, http.StatusOK, map[string]string{"gone": "all"})
	})
	return nil
}
