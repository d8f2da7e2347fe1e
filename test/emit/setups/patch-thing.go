package main

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"example.com/shop/internal/platform"
)

type complete struct {
	Name  string  `json:"name"`
	Count int     `json:"count"`
	Note  *string `json:"note"`
	Image []byte  `json:"image"`
	Maker any     `json:"maker"`
	Code  *string `json:"code,omitempty"`
}

func setup(_ context.Context, env *Env, router *platform.Router) error {
	var mutex sync.Mutex
	seen := []any{}
	env.Hooks.BeforeUpdate.Add(func(
		_ context.Context, _ *Env, request UpdateThingRequest, input *UpdateThing, _ platform.Caller,
	) error {
		mutex.Lock()
		defer mutex.Unlock()
		seen = append(seen, complete{request.Name, request.Count, request.Note, nil, request.Maker, request.Code}, names(input))
		if request.Name == "Touched" {
			input.Touched = new(7)
		}
		return nil
	})
	router.Handle("GET /thing/seen", func(w http.ResponseWriter, _ *http.Request) error {
		mutex.Lock()
		defer mutex.Unlock()
		all := seen
		seen = []any{}
		return platform.JSON(w, http.StatusOK, all)
	})
	router.Handle("POST /thing/{id}/rename", func(w http.ResponseWriter, r *http.Request) error {
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		thing, err := env.Datastore.UpdateThing(r.Context(), UpdateThing{ThingID: ThingID{ID: id}, Name: new("Renamed")})
		if errors.Is(err, platform.ErrNotFound) {
			return platform.JSON(w, http.StatusOK, map[string]any{"updated": nil})
		}
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"updated": thing.Count})
	})
	return nil
}

// names returns the attributes that an update stores, in alphabetical order.
func names(input *UpdateThing) []string {
	found := []string{}
	for _, each := range []struct {
		name      string
		isPresent bool
	}{
		{"count", input.Count != nil},
		{"id", true},
		{"image", input.Image.IsPresent()},
		{"maker", input.Maker.IsPresent()},
		{"name", input.Name != nil},
		{"note", input.Note.IsPresent()},
	} {
		if each.isPresent {
			found = append(found, each.name)
		}
	}
	return found
}
