import { forbidden } from './errors.ts'
import type { Caller } from './tokens.ts'

const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whose entities a query is limited to. */
type Owner = Pick<Caller, 'id'>

const hasRole = (caller: Caller, roles: readonly string[]) =>
  roles.some((role) => caller.roles.includes(role))

/** Limits a query to the caller's own entities; `undefined` for a caller with one of the roles. */
export const ownerFilter = (caller: Caller, ...roles: readonly string[]): Owner | undefined =>
  hasRole(caller, roles) ? undefined : caller

/** Limits a query to no entities; `undefined` for a caller with one of the roles. */
export const roleFilter = (caller: Caller, ...roles: readonly string[]): Owner | undefined =>
  hasRole(caller, roles) ? undefined : { id: MAX_UUID }

/** Throws 403 unless the caller has one of the roles. */
export function requireRole(caller: Caller, ...roles: readonly string[]): void {
  if (!hasRole(caller, roles)) throw forbidden()
}
