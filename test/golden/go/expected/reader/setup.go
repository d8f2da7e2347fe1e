package main

import (
	"context"

	"example.com/library/internal/platform"
)

// setup registers hooks (`env.Hooks.BeforeCreate.Add(...)`) and routes (`router.Handle("GET /reader/...", ...)`). It
// runs once, before the service starts to listen. This file is yours: Portico never overwrites it.
func setup(_ context.Context, _ *Env, _ *platform.Router) error { return nil }
