package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	"example.com/toolshed/internal/platform"
	"example.com/toolshed/internal/platform/platformtest"
)

func TestService(t *testing.T) {
	parts, environment := platformtest.New(t, "tool-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	// A test passes the id of the caller instead of a token.
	api, err := newAPI(context.Background(), env, platformtest.Identify)
	if err != nil {
		t.Fatal(err)
	}
	owner := uuid.New()
	tool := Tool{ID: platform.NewID(), Owner: owner, Name: "Ladder", Condition: ToolConditionGood}
	if _, err := env.Datastore.CreateTool(context.Background(), tool, owner); err != nil {
		t.Fatal(err)
	}
	for _, each := range []struct {
		name, method, caller string
		status               int
	}{
		{"neighbors see all tools", http.MethodGet, uuid.NewString(), http.StatusOK},
		{"strangers see none", http.MethodGet, "", http.StatusUnauthorized},
		{"only the owner deletes a tool", http.MethodDelete, uuid.NewString(), http.StatusForbidden},
		{"the owner deletes a tool", http.MethodDelete, owner.String(), http.StatusOK},
	} {
		t.Run(each.name, func(t *testing.T) {
			r := httptest.NewRequest(each.method, "/tool/"+tool.ID.String(), nil)
			r.Header.Set("Authorization", each.caller)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if w.Code != each.status {
				t.Error(w.Code, w.Body)
			}
		})
	}
}
