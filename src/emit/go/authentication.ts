import type { Authentication, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'
import { authenticationTables } from '../database/authentication-tables.ts'
import { schemaHash } from '../database/hash.ts'
import { GENERATED } from './go-file.ts'
import { constants, quoted } from './layout.ts'
import { ofModule } from './module.ts'
import { exported, uniqueNames } from './names.ts'
import { metricsFile } from './services.ts'
import { INITIAL_DATASTORE, initialSettings, initialSetup } from './user-files.ts'

const EMITTED = ['env.go', 'main.go', 'passwords.go', 'queries.go', 'roles.go', 'routes.go']
const HASH = /const schemaHash = "[0-9a-f]{64}"/

/** The files of the authentication service, which `#roles` and `#metrics` change. */
export function authenticationFiles(platform: Platform, authentication: Authentication): GeneratedFile[] {
  const { directory, roles } = authentication
  const module = platform.module
  const file = (name: string, content: string, owner: GeneratedFile['owner']): GeneratedFile => ({
    path: `${directory}/${name}`,
    content,
    owner,
  })
  const template = (name: string): string => {
    if (name === 'roles.go' && roles.length > 0) return rolesFile(module, roles)
    const text = ofModule(module, readTemplate(`go/auth/${name}`))
    const marked = `${GENERATED}\n\n${text}`
    if (name !== 'main.go') return marked
    const hash = `const schemaHash = "${schemaHash(authenticationTables(authentication))}"`
    const measured = platform.metrics === undefined ? '' : ', Metrics: metrics'
    return marked.replace(HASH, hash).replace('Config: config.Config}', `Config: config.Config${measured}}`)
  }
  return [
    ...EMITTED.map((name) => file(name, template(name), 'generated')),
    ...(platform.metrics === undefined
      ? []
      : [file('metrics.go', metricsFile(module, authentication), 'generated')]),
    file('setup.go', initialSetup(module, 'env.Hooks.BeforeRegister.Add(...)', 'auth'), 'user'),
    file('datastore.go', INITIAL_DATASTORE, 'user'),
    file('settings.go', initialSettings(module), 'user'),
    {
      ...file('auth_test.go', ofModule(module, readTemplate('go/auth/auth_test.go')), 'user'),
      optional: true,
    },
  ]
}

/** `roles.go` of an authentication service whose users have roles. */
function rolesFile(module: string, roles: readonly string[]): string {
  const unique = uniqueNames([], 'Value')
  const names = roles.map((role) => unique(`Role${exported(role)}`))
  return `${GENERATED}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"${module}/internal/platform"
)

// The roles that users can have.
${constants(names.map((name, index) => [name, 'string', quoted(roles[index] ?? '')]))}

var allRoles = []string{${names.join(', ')}}

// Registration is what BeforeRegister may change before the account is created.
type Registration struct {
	Credentials
	Roles []string
}

// Auth is a stored user account.
type Auth struct {
	// The \`id\` of the tokens of the user.
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
	authColumns = \`"id", "email", "password_hash", "roles"\`
	authValues  = \`$1, $2, $3, $4\`
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
	count, err := d.db.Exec(ctx, \`UPDATE "auth" SET "roles" = $2 WHERE "id" = $1\`, id,
		append([]string{}, slices.Compact(sorted)...))
	if err == nil && count == 0 {
		return platform.ErrNotFound
	}
	return err
}

type rolesConfig struct {
	// Roles of users by the ids of their accounts, in addition to the stored ones: \`admin=<id>,<id>;agent=<id>\`.
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
`
}
