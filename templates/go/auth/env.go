package main

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"example.com/project/internal/platform"
)

// Config has the environment variables of the service.
type Config struct {
	platform.Config
	// How long a token is valid.
	TokenLifetime time.Duration
	// The logarithm of the work to hash a password. Existing hashes keep theirs.
	BcryptCost int
	// Passwords that are hashed at a time. 0 means one fewer than there are processors, 4 at most.
	PasswordThreads int
	// How many passwords may wait to be hashed. Further requests get 503.
	PasswordQueue int
	// How long they may wait. The typed client gives up after the default, and so do most others.
	PasswordQueueTimeout time.Duration
	// How many proxies in front of the gateway add an address to `X-Forwarded-For`.
	TrustedProxies int
	rolesConfig
}

func readConfig(environment *platform.Environment) Config {
	return Config{
		Config:               platform.ReadConfig(environment, "postgres://auth@auth-db:5432/auth", 16_384),
		TokenLifetime:        time.Duration(environment.Int("TOKEN_LIFETIME_MINUTES", 1440, 1, 43_200)) * time.Minute,
		BcryptCost:           environment.Int("BCRYPT_COST", 10, 10, 15),
		PasswordThreads:      environment.Int("PASSWORD_THREADS", 0, 0, 1000),
		PasswordQueue:        environment.Int("PASSWORD_QUEUE", 256, 1, 1_000_000),
		PasswordQueueTimeout: environment.Milliseconds("PASSWORD_QUEUE_TIMEOUT_MS", 30_000, 1, 300_000),
		TrustedProxies:       environment.Int("TRUSTED_PROXIES", 0, 0, 100),
		rolesConfig:          readRolesConfig(environment),
	}
}

// Env is what hooks and routes work with.
type Env struct {
	platform.Parts
	Config   Config
	Settings Settings
	Hooks    *Hooks
	// The message for each constraint of the database that a request can violate. Those of your own can be added.
	Conflicts map[string]string
	Datastore Datastore
	Passwords *Passwords
	tokens    Tokens
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

func newEnv(config Config, settings Settings, parts platform.Parts) *Env {
	return &Env{
		Parts:     parts,
		Config:    config,
		Settings:  settings,
		Hooks:     &Hooks{},
		Conflicts: map[string]string{"auth__email__key": "auth already exists"},
		Datastore: Datastore{parts.DB},
		Passwords: NewPasswords(config),
	}
}

// Tokens issues and verifies tokens.
type Tokens interface {
	// Issue issues an access token.
	Issue(id uuid.UUID, roles []string) (string, error)
	// Recognize identifies the caller of a request that needs no token.
	Recognize(r *http.Request) (platform.Caller, error)
}

// IssueToken issues an access token for an account, with its roles, as registration and login do.
func (env *Env) IssueToken(account Auth) (string, error) {
	return env.tokens.Issue(account.ID, account.roles(env.Config))
}

// newAPI creates the API. Runs setup.go, whose routes come before the generated ones.
func newAPI(ctx context.Context, env *Env, tokens Tokens) (*platform.API, error) {
	api := &platform.API{
		Service:   "Auth",
		Conflicts: env.Conflicts,
		Log:       env.Log,
		Limits:    platform.NewBodyLimits(env.Config.Config),
		Identify:  tokens.Recognize,
	}
	env.tokens = tokens
	if err := setup(ctx, env, &api.Own); err != nil {
		return nil, err
	}
	routes := routes{env}
	api.Generated.Handle("POST /auth/register", routes.register)
	api.Generated.Handle("POST /auth/login", routes.login)
	return api, nil
}
