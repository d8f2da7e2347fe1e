package main

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.Hooks.AfterUpdate.Add(func(ctx context.Context, env *Env, thing *Thing, _ platform.Caller) error {
		if thing.Name != "Twice" {
			return nil
		}
		again, err := env.Datastore.UpdateThing(
			ctx, UpdateThing{ThingID: ThingID{ID: thing.ID}, Name: new("Again")}, thing.Version,
		)
		*thing = again
		return err
	})
	router.Handle("POST /thing/{id}/rename/{version}", func(w http.ResponseWriter, r *http.Request) error {
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		version, err := strconv.ParseInt(r.PathValue("version"), 10, 64)
		if err != nil {
			return err
		}
		thing, err := env.Datastore.UpdateThing(
			r.Context(), UpdateThing{ThingID: ThingID{ID: id}, Name: new("Renamed")}, version,
		)
		if errors.Is(err, platform.ErrNotFound) {
			return platform.JSON(w, http.StatusOK, map[string]any{"version": nil})
		}
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"version": thing.Version})
	})
	return nil
}
