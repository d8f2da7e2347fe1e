import type { Access, Operation } from './platform.ts'

/** Of a service, who may do what. */
export interface Permissions {
  readonly identity: boolean
  readonly readable: Access
  readonly writable: Access
}

/**
 * Who may use an endpoint, in words. `own` tells the endpoints of the service's entity from those of its
 * structs, which inherit the parent's access.
 */
export function accessOf(
  operation: Operation,
  own: boolean,
  service: Permissions,
  authenticated: boolean,
): string {
  if (!authenticated) return 'everybody'
  const creator = own ? 'its creator' : "its parent's creator"
  if (operation === 'identify') return 'every user'
  if (operation === 'create' && own) return service.identity ? 'every user, once' : 'every user'
  const access = operation === 'read' || operation === 'list' ? service.readable : service.writable
  if (access === 'all') return 'every user'
  return operation === 'list' && own ? 'every user, of their own' : creator
}
