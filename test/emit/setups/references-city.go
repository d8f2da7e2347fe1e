package main

import (
	"context"
	"net/http"
	"strings"

	"example.com/references/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeRead.Add(func(ctx context.Context, _ *Env, input *CityID, _ platform.Caller) error {
		env.Log.InfoContext(ctx, "city read", "city", input.ID)
		return nil
	})
	env.Hooks.AfterRead.Add(func(_ context.Context, _ *Env, city *City, _ platform.Caller) error {
		switch city.Name {
		case "Hidden":
			return platform.HookError(http.StatusNotFound, "Hidden")
		case "Closed":
			return platform.HookError(http.StatusForbidden, "Closed")
		}
		city.Name = strings.ToUpper(city.Name)
		return nil
	})
	return nil
}
