import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { isUuid } from '#lib/values.ts'
import type { Auth } from './queries.ts'
import type { Credentials } from './requests.ts'
import { auth, type Database } from './schema.ts'

/** The roles that users can have. */
export const ROLES = ['guide', 'organizer'] as const
export type Role = (typeof ROLES)[number]

const isRole = (name: string): name is Role => ROLES.some((role) => role === name)

/** What `beforeRegister` may change before the account is created. */
export type Registration = Credentials & { roles: Role[] }
export const registration = (request: Credentials): Registration => ({ ...request, roles: [] })

/** Reads `admin=<id>,<id>;agent=<id>`. */
const assignments = z.string().transform((text, context) => {
  const roles = new Map<string, Role[]>()
  for (const assignment of text.split(';').filter((part) => part.trim() !== '')) {
    const [name = '', ...rest] = assignment.split('=').map((part) => part.trim())
    const ids = rest.join('=').split(/\s*,\s*/)
    const invalid = ids.find((id) => !isUuid(id))
    if (!isRole(name))
      context.addIssue(`contains the unknown role ${name}: the roles are ${ROLES.join(', ')}`)
    else if (invalid !== undefined) context.addIssue(`contains the id "${invalid}", which is not a UUID`)
    else for (const id of ids) roles.set(id.toLowerCase(), [...(roles.get(id.toLowerCase()) ?? []), name])
  }
  return roles
})

export const rolesConfig = {
  /** Roles of users by the ids of their accounts, in addition to the stored ones: `admin=<id>,<id>;agent=<id>`. */
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
