package main

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"example.com/hooked/internal/platform"
)

func setup(_ context.Context, _ *Env, router *platform.Router) error {
	router.Handle("POST /person/webhook/mail", func(w http.ResponseWriter, r *http.Request) error {
		var caller *uuid.UUID
		if id := platform.CallerOf(r.Context()).ID; id != uuid.Nil {
			caller = &id
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"caller": caller})
	})
	router.Handle("POST /person/webhooks", func(w http.ResponseWriter, _ *http.Request) error {
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	return nil
}
