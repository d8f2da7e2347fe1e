package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	"example.com/library/internal/platform"
	"example.com/library/internal/platform/platformtest"
)

// This file is yours: Portico never overwrites it.

func newTestAPI(t *testing.T) func(method, path, caller, body string) *httptest.ResponseRecorder {
	t.Helper()
	parts, environment := platformtest.New(t, "loan-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	// A test passes the id of the caller instead of a token, and has all roles.
	api, err := newAPI(context.Background(), env, platformtest.Identify("librarian", "clerk"))
	if err != nil {
		t.Fatal(err)
	}
	return platformtest.Client(api)
}

func TestService(t *testing.T) {
	request := newTestAPI(t)
	user := uuid.NewString()
	t.Run("unknown entities are not found", func(t *testing.T) {
		if w := request(http.MethodGet, "/loan/"+platform.NewID().String(), user, ""); w.Code != http.StatusNotFound {
			t.Error(w.Code, w.Body)
		}
	})
	t.Run("requests without a token are rejected", func(t *testing.T) {
		if w := request(http.MethodGet, "/loan", "", ""); w.Code != http.StatusUnauthorized {
			t.Error(w.Code, w.Body)
		}
	})
}
