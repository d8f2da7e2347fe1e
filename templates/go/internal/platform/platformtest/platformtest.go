// Package platformtest helps to test services on a real database.
package platformtest

import (
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
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/project/internal/migrate"
	"example.com/project/internal/platform"
)

const connectTimeout = 10 * time.Second

// New creates a database for a test with the migrations of a directory: `home-db/migrations`. It is on the Postgres
// server of TEST_DATABASE_URL, where the role may create databases, or else on one that New starts.
func New(t *testing.T, migrations string) (platform.Parts, *platform.Environment) {
	t.Helper()
	ctx := context.Background()
	server, err := serverURL()
	if err != nil {
		t.Fatal("Could not start Postgres. Set TEST_DATABASE_URL to a Postgres server: ", err)
	}
	connecting, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	admin, err := pgx.Connect(connecting, server)
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

// Request sends a request to an API on behalf of a caller.
type Request func(method, path string, caller platform.Caller, body string) *httptest.ResponseRecorder

// Client returns a function that calls an API.
func Client(api http.Handler) Request {
	return func(method, path string, caller platform.Caller, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", caller.Token)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w
	}
}

// NewCaller creates a user for tests, who has these roles.
func NewCaller(roles ...string) platform.Caller {
	id := platform.NewID()
	token := strings.Join(append([]string{id.String()}, roles...), " ")
	return platform.Caller{ID: id, Roles: roles, Token: token}
}

// Identify identifies the users that NewCaller has created, whose ids and roles are in their tokens.
func Identify(r *http.Request) (platform.Caller, error) {
	token := r.Header.Get("Authorization")
	id, roles, _ := strings.Cut(token, " ")
	caller, isValid := platform.ParseID(id)
	if !isValid {
		return platform.Caller{}, platform.Unauthorized()
	}
	return platform.Caller{ID: caller, Roles: strings.Fields(roles), Token: token}, nil
}
