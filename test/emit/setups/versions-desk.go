package main

import (
	"context"
	"errors"
	"net/http"

	"example.com/shop/internal/personclient"
	"example.com/shop/internal/platform"
	"example.com/shop/internal/thingclient"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	router.Handle("POST /desk/change/{id}", func(w http.ResponseWriter, r *http.Request) error {
		ctx, caller := r.Context(), platform.CallerOf(r.Context())
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		thing, err := env.Comm.Thing.Read(ctx, id, caller)
		if err != nil {
			return err
		}
		changed, err := env.Comm.Thing.Patch(ctx, id, thingclient.ThingPatch{Name: new("First")}, caller, thing.Version)
		if err != nil {
			return err
		}
		status := http.StatusOK
		if refusal, isRefused := errors.AsType[*platform.Error](
			env.Comm.Thing.Delete(ctx, id, caller, thing.Version),
		); isRefused {
			status = refusal.Status
		}
		person, err := env.Comm.Person.Read(ctx, caller.ID, caller)
		if err != nil {
			return err
		}
		named, err := env.Comm.Person.Update(
			ctx, person.ID, personclient.PersonRequest{Name: "Ada"}, caller, person.Version,
		)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]any{
			"name": changed.Name, "status": status, "person": named.Name,
		})
	})
	return nil
}
