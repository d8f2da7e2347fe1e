package main

import (
	"context"
	"net/http"
	"testing"

	"example.com/library/internal/bookclient"
	"example.com/library/internal/platform"
	"example.com/library/internal/platform/platformtest"
	"example.com/library/internal/readerclient"
)

// This file is yours: Portico never overwrites it.

func newTestAPI(t *testing.T) platformtest.Request {
	t.Helper()
	parts, environment := platformtest.New(t, "loan-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	// What the services that this one calls answer. All that is referred to exists.
	env.Comm.Book = bookclient.New(platformtest.Fake(t,
		platformtest.Entity{Name: "book", ListKey: "BookList", JSON: `{"id": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "title": "Some title", "isbn": "Some isbn.", "language": "english", "price": "12.50", "weight": 1.5, "pages": 1, "published": "2030-01-31", "opensAt": "12:30:00", "addedAt": "2030-02-01T12:30:00Z", "cover": "SGVsbG8=", "sequelOf": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "createdAt": "2030-02-02T12:30:00Z", "updatedAt": "2030-02-03T12:30:00Z"}`},
		platformtest.Entity{Name: "copy", ListKey: "CopyList", JSON: `{"id": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "number": 1, "replaces": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "state": "shelved"}`},
	), env.Config.ServiceTimeout)
	env.Comm.Reader = readerclient.New(platformtest.Fake(t,
		platformtest.Entity{Name: "reader", JSON: `{"id": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "name": "Some name", "note": "Some note"}`},
	), env.Config.ServiceTimeout)
	env.Comm.Auth = platformtest.FakeAccounts(t, `{"id": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "email": "ada@example.org", "roles": []}`)
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
		if w := request(http.MethodGet, "/loan/"+platform.NewID().String(), user, ""); w.Code != http.StatusNotFound {
			t.Error(w.Code, w.Body)
		}
	})
	t.Run("requests without a token are rejected", func(t *testing.T) {
		if w := request(http.MethodGet, "/loan", platform.Caller{}, ""); w.Code != http.StatusUnauthorized {
			t.Error(w.Code, w.Body)
		}
	})
	t.Run("a Loan is created", func(t *testing.T) {
		body := `{"book": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "reader": "019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f", "text": "Some text", "shelf": "Some shelf"}`
		if w := request(http.MethodPost, "/loan", user, body); w.Code != http.StatusCreated {
			t.Error(w.Code, w.Body)
		}
	})
}
