package main

import (
	"context"
	"io"
	"net/http"

	"example.com/attacked/internal/platform"
)

// setup answers every request with the size of its body, in the place of the routes that are generated.
func setup(_ context.Context, _ *Env, router *platform.Router) error {
	respond := func(w http.ResponseWriter, r *http.Request) error {
		size, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]int64{"bytes": size})
	}
	for _, path := range []string{"/auth", "/home", "/home-owner"} {
		router.Handle(path, respond)
		router.Handle(path+"/{rest...}", respond)
	}
	return nil
}
