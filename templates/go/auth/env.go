package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"example.com/project/internal/platform"
)

// Config has the environment variables of the service.
type Config struct {
	platform.Config
	// Passwords that are hashed at a time. 0 means one fewer than there are processors, 4 at most.
	PasswordThreads int
	// How many passwords may wait to be hashed. Further requests get 503.
	PasswordQueue int
	// How many proxies in front of the gateway add an address to `X-Forwarded-For`.
	TrustedProxies int
	rolesConfig
}

func readConfig(environment *platform.Environment) Config {
	return Config{
		Config:          platform.ReadConfig(environment, "postgres://auth@auth-db:5432/auth", 16_384),
		PasswordThreads: environment.Int("PASSWORD_THREADS", 0, 0, 1000),
		PasswordQueue:   environment.Int("PASSWORD_QUEUE", 256, 1, 1_000_000),
		TrustedProxies:  environment.Int("TRUSTED_PROXIES", 0, 0, 100),
		rolesConfig:     readRolesConfig(environment),
	}
}

// Env is what hooks and routes work with.
type Env struct {
	Config    Config
	Settings  Settings
	Log       *slog.Logger
	Hooks     *Hooks
	Datastore Datastore
	Passwords *Passwords
	// Registers what runs when the service stops.
	OnStop func(callback func(ctx context.Context) error)
}

// Hooks has the kinds of hooks, which setup.go registers.
type Hooks struct {
	BeforeRegister platform.BeforeWrite[*Env, Credentials, Registration]
	// The caller has the token that was just issued.
	AfterRegister platform.Hook[*Env, *Result]
	BeforeLogin   platform.BeforeWrite[*Env, Credentials, Credentials]
	AfterLogin    platform.Hook[*Env, *Result]
}

// Datastore has the queries.
type Datastore struct{ db *platform.DB }

// Transaction runs work in a transaction, which an error rolls back. What is called with its context belongs to it.
// Within a transaction, the work becomes part of it.
func (env *Env) Transaction(ctx context.Context, work func(ctx context.Context) error) error {
	return env.Datastore.db.Transaction(ctx, work)
}

// AfterCommit calls a function after the transaction is committed, or immediately outside of a transaction.
func (env *Env) AfterCommit(ctx context.Context, callback func(ctx context.Context)) {
	env.Datastore.db.AfterCommit(ctx, callback)
}

func newEnv(config Config, settings Settings, parts platform.Parts) *Env {
	return &Env{
		Config:    config,
		Settings:  settings,
		Log:       parts.Log,
		Hooks:     &Hooks{},
		Datastore: Datastore{parts.DB},
		Passwords: NewPasswords(config.PasswordThreads, config.PasswordQueue),
		OnStop:    parts.OnStop,
	}
}

// Tokens issues and verifies tokens.
type Tokens interface {
	// Issue issues an access token.
	Issue(id uuid.UUID, roles []string) (string, error)
	// Recognize identifies the caller of a request that needs no token.
	Recognize(r *http.Request) (platform.Caller, error)
}

// What error responses name.
var errorNames = platform.ErrorNames{
	Service:   "Auth",
	Conflicts: map[string]string{"auth__email__key": "auth already exists"},
}

// newAPI creates the API. Runs setup.go, whose routes come before the generated ones.
func newAPI(ctx context.Context, env *Env, tokens Tokens) (http.Handler, error) {
	own, generated := &platform.Router{}, &platform.Router{}
	if err := setup(ctx, env, own); err != nil {
		return nil, err
	}
	routes := routes{env, tokens}
	generated.Handle("POST /auth/register", routes.register)
	generated.Handle("POST /auth/login", routes.login)
	return &platform.API{
		Names:     errorNames,
		Log:       env.Log,
		Limits:    platform.NewBodyLimits(env.Config.Config),
		Identify:  tokens.Recognize,
		Own:       own,
		Generated: generated,
	}, nil
}
