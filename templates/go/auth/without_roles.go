//go:build !roles

package main

import (
	"github.com/google/uuid"

	"example.com/project/internal/platform"
)

// The project has no `#roles`: accounts have none, and tokens carry none.

// Registration is what BeforeRegister may change before the account is created.
type Registration struct{ Credentials }

// Auth is a stored user account.
type Auth struct {
	// The `id` of the tokens of the user.
	ID uuid.UUID
	// As registered. Compared without regard to case.
	Email string
	// Salted bcrypt hash.
	PasswordHash string
}

func newAccount(id uuid.UUID, input Registration, passwordHash string) Auth {
	return Auth{ID: id, Email: input.Email, PasswordHash: passwordHash}
}

const (
	authColumns = `"id", "email", "password_hash"`
	authValues  = `$1, $2, $3`
)

func (account Auth) values() []any { return []any{account.ID, account.Email, account.PasswordHash} }

func (account Auth) roles(Config) []string { return nil }

type rolesConfig struct{}

func readRolesConfig(*platform.Environment) rolesConfig { return rolesConfig{} }
