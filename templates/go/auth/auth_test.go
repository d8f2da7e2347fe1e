package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"example.com/project/internal/platform"
	"example.com/project/internal/platform/platformtest"
)

// This file is yours: Portico never overwrites it.

// testTokens takes the ids of users for their tokens.
type testTokens struct{}

func (testTokens) Issue(id uuid.UUID, _ []string) (string, error) { return id.String(), nil }

func (testTokens) Recognize(*http.Request) (platform.Caller, error) { return platform.Caller{}, nil }

func TestUsersRegisterAndLogIn(t *testing.T) {
	parts, environment := platformtest.New(t, "auth-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	api, err := newAPI(context.Background(), env, testTokens{})
	if err != nil {
		t.Fatal(err)
	}
	send := func(path, body string, status int) string {
		t.Helper()
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
		if w.Code != status {
			t.Error(path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	registered := send("/auth/register", `{"email": "ada@example.org", "password": "correct horse"}`, 201)
	if loggedIn := send("/auth/login", `{"email": "Ada@Example.org", "password": "correct horse"}`, 200); loggedIn != registered {
		t.Error(loggedIn, registered)
	}
	send("/auth/register", `{"email": "ada@example.org", "password": "correct horse"}`, 409)
	send("/auth/login", `{"email": "ada@example.org", "password": "wrong horse"}`, 401)
}
