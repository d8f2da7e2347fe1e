import type { Authentication } from '../../model/platform.ts'
import { authenticationTables } from '../database/authentication-tables.ts'
import { schemaHash } from '../database/hash.ts'

/** `roles.ts` of an authentication service whose users have roles. */
export function rolesFile({ roles }: Authentication): string {
  const names = roles.map((role) => `'${role}'`)
  const line = `export const ROLES = [${names.join(', ')}] as const`
  const list =
    line.length <= LINE_WIDTH ? line : `export const ROLES = [\n  ${names.join(',\n  ')},\n] as const`
  return `import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { isUuid } from '#lib/values.ts'
import type { Auth } from './queries.ts'
import type { Credentials } from './requests.ts'
import { auth, type Database } from './schema.ts'

/** The roles that users can have. */
${list}
export type Role = (typeof ROLES)[number]

const isRole = (name: string): name is Role => ROLES.some((role) => role === name)

/** What \`beforeRegister\` may change before the account is created. */
export type Registration = Credentials & { roles: Role[] }
export const registration = (request: Credentials): Registration => ({ ...request, roles: [] })

/** Reads \`admin=<id>,<id>;agent=<id>\`. */
const assignments = z.string().transform((text, context) => {
  const roles = new Map<string, Role[]>()
  for (const assignment of text.split(';').filter((part) => part.trim() !== '')) {
    const [name = '', ...rest] = assignment.split('=').map((part) => part.trim())
    const ids = rest.join('=').split(/\\s*,\\s*/)
    const invalid = ids.find((id) => !isUuid(id))
    if (!isRole(name))
      context.addIssue(\`contains the unknown role \${name}: the roles are \${ROLES.join(', ')}\`)
    else if (invalid !== undefined) context.addIssue(\`contains the id "\${invalid}", which is not a UUID\`)
    else for (const id of ids) roles.set(id.toLowerCase(), [...(roles.get(id.toLowerCase()) ?? []), name])
  }
  return roles
})

export const rolesConfig = {
  /** Roles of users by the ids of their accounts, in addition to the stored ones: \`admin=<id>,<id>;agent=<id>\`. */
  AUTH_ROLES: z.string().default('').pipe(assignments),
}

/** The roles that a token of the account carries. */
export function rolesOf({ id, roles }: Auth, config: { AUTH_ROLES: ReadonlyMap<string, Role[]> }): Role[] {
  const all = new Set([...roles, ...(config.AUTH_ROLES.get(id) ?? [])])
  return ROLES.filter((role) => all.has(role))
}

export const roleQueries = (db: Database) => ({
  /** Replaces the roles of an account. Tokens carry them after the next login. Returns whether the account exists. */
  async updateRoles(id: string, roles: readonly Role[]): Promise<boolean> {
    if (!isUuid(id)) return false
    const changed = { roles: [...new Set(roles)] }
    const updated = await db.update(auth).set(changed).where(eq(auth.id, id)).returning({ id: auth.id })
    return updated.length > 0
  },
})
`
}

/** The width of generated code. */
const LINE_WIDTH = 110

/** `schema.ts` of an authentication service whose users have roles. */
export function rolesSchemaFile(authentication: Authentication): string {
  return `import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that auth-db/migrations leads to. */
export const SCHEMA_HASH = '${schemaHash(authenticationTables(authentication))}'

/** User accounts. */
export const auth = pgTable(
  'auth',
  {
    /** The \`id\` of the tokens of the user. */
    id: uuid('id').notNull(),
    /** As registered. Compared without regard to case. */
    email: text('email').notNull(),
    /** Salted bcrypt hash. */
    passwordHash: text('password_hash').notNull(),
    /** The roles that the tokens of the user carry. */
    roles: text('roles').array().notNull(),
  },
  ({ id, email, passwordHash }) => [
    primaryKey({ name: 'auth__pkey', columns: [id] }),
    check('auth__email__check', sql\`octet_length(\${email}) <= 254\`),
    check('auth__password_hash__check', sql\`char_length(\${passwordHash}) = 60\`),
    uniqueIndex('auth__email__key').on(sql\`lower(\${email} COLLATE "C")\`),
  ],
)

export type Database = DatabaseOf<{ auth: typeof auth }>
`
}
