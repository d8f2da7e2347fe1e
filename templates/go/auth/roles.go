//go:build roles

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"example.com/project/internal/platform"
)

// The roles that users can have.
const (
	RoleAdmin string = "admin"
)

var allRoles = []string{RoleAdmin}

// Registration is what BeforeRegister may change before the account is created.
type Registration struct {
	Credentials
	Roles []string
}

// Auth is a stored user account.
type Auth struct {
	// The `id` of the tokens of the user.
	ID uuid.UUID
	// As registered. Compared without regard to case.
	Email string
	// Salted bcrypt hash.
	PasswordHash string
	// The roles that the tokens of the user carry.
	Roles []string
}

func newAccount(id uuid.UUID, input Registration, passwordHash string) Auth {
	return Auth{ID: id, Email: input.Email, PasswordHash: passwordHash, Roles: input.Roles}
}

const (
	authColumns = `"id", "email", "password_hash", "roles"`
	authValues  = `$1, $2, $3, $4`
)

func (account Auth) values() []any {
	return []any{account.ID, account.Email, account.PasswordHash, append([]string{}, account.Roles...)}
}

// roles returns the roles that a token of the account carries.
func (account Auth) roles(config Config) []string {
	var roles []string
	for _, role := range allRoles {
		if slices.Contains(account.Roles, role) || slices.Contains(config.roles[account.ID], role) {
			roles = append(roles, role)
		}
	}
	return roles
}

// UpdateRoles replaces the roles of an account. Tokens carry them after the next login. Returns ErrNotFound without one.
func (d Datastore) UpdateRoles(ctx context.Context, id uuid.UUID, roles ...string) error {
	sorted := slices.Clone(roles)
	slices.Sort(sorted)
	count, err := d.db.Exec(ctx, `UPDATE "auth" SET "roles" = $2 WHERE "id" = $1`, id,
		append([]string{}, slices.Compact(sorted)...))
	if err == nil && count == 0 {
		return platform.ErrNotFound
	}
	return err
}

type rolesConfig struct {
	// Roles of users by the ids of their accounts, in addition to the stored ones: `admin=<id>,<id>;agent=<id>`.
	roles map[uuid.UUID][]string
}

func readRolesConfig(environment *platform.Environment) rolesConfig {
	roles := map[uuid.UUID][]string{}
	for assignment := range strings.SplitSeq(environment.String("AUTH_ROLES", ""), ";") {
		if strings.TrimSpace(assignment) == "" {
			continue
		}
		role, ids, _ := strings.Cut(assignment, "=")
		role = strings.TrimSpace(role)
		if !slices.Contains(allRoles, role) {
			environment.Reject("AUTH_ROLES", fmt.Sprintf("contains the unknown role %s: the roles are %s",
				role, strings.Join(allRoles, ", ")))
			continue
		}
		for text := range strings.SplitSeq(ids, ",") {
			text = strings.TrimSpace(text)
			id, isValid := platform.ParseID(text)
			if !isValid {
				environment.Reject("AUTH_ROLES", fmt.Sprintf("contains the id %q, which is not a UUID", text))
				continue
			}
			roles[id] = append(roles[id], role)
		}
	}
	return rolesConfig{roles}
}
