package main

import (
	"context"
	"net/http"

	"example.com/toolshed/internal/platform"
)

// setup registers the hooks of Tool.
func setup(_ context.Context, env *Env, _ *platform.Router) error {
	// A tool belongs to the neighbor who adds it, whatever the client sends.
	env.Hooks.BeforeCreate.Add(
		func(ctx context.Context, env *Env, _ ToolRequest, input *Tool, caller platform.Caller) error {
			isNeighbor, err := env.Comm.Neighbor.Exists(ctx, caller.ID, caller)
			if err != nil {
				return err
			}
			if !isNeighbor {
				return platform.HookError(http.StatusForbidden, "Introduce yourself first: POST /api/neighbor")
			}
			input.Owner = caller.ID
			return nil
		})
	return nil
}
