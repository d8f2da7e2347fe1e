package main

import (
	"context"

	"example.com/references/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeRead.Add(func(ctx context.Context, _ *Env, _ *CityID, _ platform.Caller) error {
		env.Log.InfoContext(ctx, "city read")
		return nil
	})
	return nil
}
