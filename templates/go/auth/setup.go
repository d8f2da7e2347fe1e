package main

import (
	"context"

	"example.com/project/internal/platform"
)

// setup registers hooks (`env.Hooks.BeforeRegister.Add(...)`) and routes (`router.Handle("GET /auth/...", ...)`). It runs
// once, before the service starts to listen. This file is yours: Portico never overwrites it.
func setup(_ context.Context, _ *Env, _ *platform.Router) error { return nil }
