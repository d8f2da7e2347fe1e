/** Who may read or write entities. */
export type Access = 'all' | LimitedAccess

/** Admits only some callers. */
export interface LimitedAccess {
  /** Whether the creator of an entity is admitted to it. */
  readonly creator: boolean
  /** The roles that admit a caller to all entities. */
  readonly roles: readonly string[]
}

/** `by: this`. */
export const ONLY_CREATOR: LimitedAccess = { creator: true, roles: [] }

/** Whether the creator of an entity is admitted to it without any role. */
export function admitsCreator(access: Access): boolean {
  return access === 'all' || access.creator
}

/** Whether every caller with the role is admitted to every entity. */
export function admitsRole(access: Access, role: string): boolean {
  return access === 'all' || access.roles.includes(role)
}

/** Whether only the creator is admitted. */
export function isOnlyCreator(access: Access): boolean {
  return access !== 'all' && access.creator && access.roles.length === 0
}

/** Whether `outer` admits everyone that `inner` admits. */
export function admitsAllOf(outer: Access, inner: Access): boolean {
  if (outer === 'all') return true
  if (inner === 'all') return false
  return (outer.creator || !inner.creator) && inner.roles.every((role) => outer.roles.includes(role))
}

/** Whether both admit the same callers. */
export function isSameAccess(one: Access, other: Access): boolean {
  return admitsAllOf(one, other) && admitsAllOf(other, one)
}

/** Admits everyone that at least one of the two admits. */
export function unionOf(one: Access, other: Access): Access {
  if (one === 'all' || other === 'all') return 'all'
  return { creator: one.creator || other.creator, roles: [...new Set([...one.roles, ...other.roles])] }
}

/** Admits everyone that both admit; `undefined` if that is nobody. */
export function intersectionOf(one: Access, other: Access): Access | undefined {
  if (one === 'all' || other === 'all') return one === 'all' ? other : one
  const creator = one.creator && other.creator
  const roles = one.roles.filter((role) => other.roles.includes(role))
  return creator || roles.length > 0 ? { creator, roles } : undefined
}

/** The value of `by:` that admits the same callers: `this`, `all`, `agent` or `[this, agent]`. */
export function accessText(access: Access): string {
  if (access === 'all') return access
  const words = [...(access.creator ? ['this'] : []), ...access.roles]
  return words.length === 1 ? words.join('') : `[${words.join(', ')}]`
}
