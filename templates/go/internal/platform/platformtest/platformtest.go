// Package platformtest helps to test services on a real database.
package platformtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"example.com/project/internal/migrate"
	"example.com/project/internal/platform"
)

// A Postgres server on which tests create databases, as a role that may do so.
const defaultServer = "postgres://postgres@127.0.0.1:5432/postgres"

// New creates a database for a test with the migrations of a directory: `home-db/migrations`.
func New(t *testing.T, migrations string) (platform.Parts, *platform.Environment) {
	t.Helper()
	ctx := context.Background()
	server := cmp.Or(os.Getenv("TEST_DATABASE_URL"), defaultServer)
	admin, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal("Could not connect. Set TEST_DATABASE_URL to a Postgres server: ", err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	address.Path = name
	t.Cleanup(func() {
		_, _ = admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		_ = admin.Close(ctx)
	})
	// Tests run in the directory of their package.
	directory := filepath.Join("..", migrations)
	config, err := platform.ParseURL(address.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := migrate.Apply(ctx, config.ConnConfig, directory, migrate.Options{}); err != nil {
		t.Fatal(err)
	}
	environment := platform.NewEnvironment(func(variable string) string {
		if variable == "DATABASE_URL" {
			return address.String()
		}
		return os.Getenv(variable)
	})
	log := platform.NewLog(io.Discard, "test", slog.LevelWarn)
	db, err := platform.Connect(ctx, platform.ReadConfig(environment, "", 1), log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	onStop := func(callback platform.Callback) { t.Cleanup(func() { _ = callback(ctx) }) }
	parts := platform.Parts{Log: log, DB: db, OnStop: onStop}
	return parts, environment
}

// Client returns a function that calls an API.
func Client(api http.Handler) func(method, path, caller, body string) *httptest.ResponseRecorder {
	return func(method, path, caller, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", caller)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w
	}
}

// Identify takes the `Authorization` header for the id of the caller, who has these roles.
func Identify(roles ...string) platform.Identify {
	return func(r *http.Request) (platform.Caller, error) {
		id, isValid := platform.ParseID(r.Header.Get("Authorization"))
		if !isValid {
			return platform.Caller{}, platform.Unauthorized()
		}
		return platform.Caller{ID: id, Roles: roles, Token: id.String()}, nil
	}
}
