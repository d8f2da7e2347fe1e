import { type Access, admitsCreator, admitsRole, isSameAccess } from '../access.ts'
import { joined } from '../naming.ts'
import type {
  CustomEndpoint,
  CustomEndpointContext,
  EndpointContext,
  Operation,
  Service,
} from './platform.ts'

/** What decides who may use a service. */
export type AccessRules = Pick<Service, 'storesUsers' | 'readable' | 'writable'>

/** Whether a role admits somebody to the entities of a service. */
export function namesRoles({ readable, writable }: Pick<Service, 'readable' | 'writable'>): boolean {
  return [readable, writable].some((access) => access !== 'all' && access.roles.length > 0)
}

/**
 * Describes who may call an endpoint, for example `any user`. `isStruct` is true for endpoints of
 * a struct, which has the parent's access rules, and false for those of the service's entity.
 */
export function describeAccess(
  operation: Operation,
  isStruct: boolean,
  service: AccessRules,
  authenticated: boolean,
): string {
  if (!authenticated) return 'anyone'
  const access = accessTo(operation, isStruct, service)
  const isOnce = operation === 'create' && !isStruct && service.storesUsers
  const users = access === 'all' ? 'any user' : `users with the role ${oneOf(access.roles)}`
  if (isOnce) return `${users}, once`
  if (access === 'all') return users
  const isList = operation === 'list' && !isStruct
  if (!access.creator) return isList ? `${users} (an empty list for others)` : users
  if (isList)
    return access.roles.length === 0
      ? 'any user (own entities only)'
      : `any user (own entities only, all with the role ${oneOf(access.roles)})`
  const creator = isStruct ? "its parent's creator" : 'its creator'
  return access.roles.length === 0 ? creator : `${creator} and ${users}`
}

/** The same for an endpoint of a platform. */
export function describeEndpointAccess({ platform, service, entity, endpoint }: EndpointContext): string {
  const isStruct = entity !== service.entity
  return describeAccess(endpoint.operation, isStruct, service, platform.authentication !== undefined)
}

/** What decides who may call a custom endpoint. */
export type CustomAccessRules = Pick<CustomEndpoint, 'isPublic' | 'roles' | 'check'>

/** Describes who may call a custom endpoint of the service with this name, like `describeAccess`. */
export function describeCustomAccess(
  { isPublic, roles, check }: CustomAccessRules,
  service: AccessRules,
  name: string,
  authenticated: boolean,
): string {
  if (!authenticated || isPublic) return 'anyone'
  const operation = check === 'readable' ? 'read' : 'update'
  if (roles.length === 0)
    return check === undefined ? 'any user' : describeAccess(operation, false, service, authenticated)
  const users = `users with the role ${oneOf(roles)}`
  return check === undefined || service[check] === 'all' ? users : `${users} who can ${operation} the ${name}`
}

/** The same for a custom endpoint of a platform. */
export function describeCustomEndpointAccess({ platform, service, endpoint }: CustomEndpointContext): string {
  const { declared } = service.names
  return describeCustomAccess(endpoint, service, declared, platform.authentication !== undefined)
}

/** Returns whom an endpoint admits. The parameters are those of `describeAccess`. */
export function accessTo(operation: Operation, isStruct: boolean, service: AccessRules): Access {
  if (operation === 'identify') return 'all'
  // The caller becomes the creator.
  if (operation === 'create' && !isStruct) return admitsCreator(service.writable) ? 'all' : service.writable
  return operation === 'read' || operation === 'list' ? service.readable : service.writable
}

/**
 * What an endpoint allows a caller, as far as the definition decides: everything, only what the caller created, one
 * entity, or nothing.
 */
export type Permission = 'all' | 'own' | 'once' | 'none'

/** Callers without a token, callers with one, and creators of the entity or of the parent of an entry. */
export type Caller = 'anonymous' | 'user' | 'creator'

/** What an endpoint allows these callers and users with each role. */
export type Permissions = Readonly<Record<Caller, Permission>> & { readonly roles: readonly Permission[] }

/** Returns what an endpoint of a platform allows these callers and users with each role. */
export function permissionsOf({
  platform: { authentication },
  service,
  entity,
  endpoint: { operation },
}: EndpointContext): Permissions {
  if (authentication === undefined) return { anonymous: 'all', user: 'all', creator: 'all', roles: [] }
  const isStruct = entity !== service.entity
  const access = accessTo(operation, isStruct, service)
  const allowed: Permission =
    operation === 'identify'
      ? 'own'
      : operation === 'create' && !isStruct && service.storesUsers
        ? 'once'
        : 'all'
  const user = access === 'all' ? allowed : 'none'
  // A list has only the entities that its caller can read.
  const listed = operation === 'list' && !isStruct && access !== 'all' && access.creator ? 'own' : undefined
  return {
    anonymous: 'none',
    user: listed ?? user,
    creator: listed ?? (admitsCreator(access) ? allowed : 'none'),
    roles: authentication.roles.map((role) => (admitsRole(access, role) ? allowed : (listed ?? user))),
  }
}

const allows = (isAllowed: boolean): Permission => (isAllowed ? 'all' : 'none')

/** Returns the same for a custom endpoint. */
export function customPermissionsOf({
  platform: { authentication },
  service,
  endpoint: { isPublic, roles, check },
}: CustomEndpointContext): Permissions {
  if (authentication === undefined) return { anonymous: 'all', user: 'all', creator: 'all', roles: [] }
  const access = check === undefined ? 'all' : service[check]
  const isOpen = isPublic || roles.length === 0
  return {
    anonymous: allows(isPublic),
    user: allows(isOpen && access === 'all'),
    creator: allows(isOpen && admitsCreator(access)),
    roles: authentication.roles.map((role) =>
      allows((isOpen || roles.includes(role)) && admitsRole(access, role)),
    ),
  }
}

/** Describes who reads and writes the entities of a service, in a few words. */
export function summarizeAccess(
  { readable, writable }: Pick<Service, 'readable' | 'writable'>,
  authenticated: boolean,
): string {
  if (!authenticated) return 'open to anyone'
  const readers = admitted(readable)
  const writers = admitted(writable)
  if (isSameAccess(readable, writable)) return `${readers.who} ${readers.read} and ${writers.write}`
  return `${readers.who} ${readers.read}, ${writers.who} ${writers.write}`
}

function admitted(access: Access): { who: string; read: string; write: string } {
  const names = access === 'all' ? ['all'] : [...(access.creator ? ['creator'] : []), ...access.roles]
  const isSingular = names.length === 1 && access !== 'all'
  return {
    who: joined(names, 'and'),
    read: isSingular ? 'reads' : 'read',
    write: isSingular ? 'writes' : 'write',
  }
}

/** The roles as part of a sentence: `agent or admin`. */
export function oneOf(roles: readonly string[]): string {
  return joined(roles, 'or')
}
