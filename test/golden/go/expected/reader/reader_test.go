package main

import (
	"context"
	"net/http"
	"testing"

	"example.com/library/internal/platform"
	"example.com/library/internal/platform/platformtest"
)

// This file is yours: Portico never overwrites it.

func newTestAPI(t *testing.T) platformtest.Request {
	t.Helper()
	parts, environment := platformtest.New(t, "reader-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	api, err := newAPI(context.Background(), env, platformtest.Identify)
	if err != nil {
		t.Fatal(err)
	}
	return platformtest.Client(api)
}

func TestService(t *testing.T) {
	request := newTestAPI(t)
	// Has all roles.
	user := platformtest.NewCaller("librarian", "clerk")
	t.Run("unknown entities are not found", func(t *testing.T) {
		if w := request(http.MethodGet, "/reader/"+platform.NewID().String(), user, ""); w.Code != http.StatusNotFound {
			t.Error(w.Code, w.Body)
		}
	})
	t.Run("requests without a token are rejected", func(t *testing.T) {
		if w := request(http.MethodGet, "/reader", platform.Caller{}, ""); w.Code != http.StatusUnauthorized {
			t.Error(w.Code, w.Body)
		}
	})
	t.Run("a Reader is created", func(t *testing.T) {
		body := `{"name": "Some name"}`
		if w := request(http.MethodPost, "/reader", user, body); w.Code != http.StatusCreated {
			t.Error(w.Code, w.Body)
		}
	})
}
