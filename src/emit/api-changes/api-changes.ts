import { type Access, admitsAllOf } from '../../access.ts'
import { accessTo, describeAccess } from '../../model/describe-access.ts'
import type { CustomEndpoint, Endpoint, Entity, Operation, Platform, Service } from '../../model/platform.ts'
import { type AppliedRule, attributeChanges, type NewNames } from './attribute-changes.ts'
import { customEndpointChanges } from './custom-changes.ts'
import { criteriaChanges } from './criteria-changes.ts'
import { type ApiChange, type ApiRule, RULES } from './rules.ts'
import { returnsOne, writesOne } from '../../model/endpoints.ts'
import { entitiesOf } from '../../model/entities.ts'

/**
 * Returns what changes for the clients of a platform, breaking changes first, in the order of the older definition
 * and then of what is new.
 */
export function apiChanges(older: Platform, newer: Platform): ApiChange[] {
  const [before, after] = [resources(older), resources(newer)]
  const successors = new Map(before.map((resource) => [resource, successor(resource, after)]))
  const kept = new Set(successors.values())
  const newNames: NewNames = new Map(
    [...successors].map(([was, is]) => [was.entity.names.declared, is?.entity.names.declared]),
  )
  const changes = [
    ...authenticationServiceChanges(older, newer),
    ...[...successors].flatMap(([was, is]) =>
      is === undefined ? endpointNames(was).map(removed) : resourceChanges(was, is, newNames),
    ),
    ...after
      .filter((resource) => !kept.has(resource))
      .flatMap((resource) => endpointNames(resource).map(added)),
  ]
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)]
}

/** The entity of a service, or a struct, as clients see it. */
interface Resource {
  readonly service: Service
  readonly entity: Entity
  readonly authenticated: boolean
  readonly isStruct: boolean
}

function resources({ services, authentication }: Platform): Resource[] {
  return services.flatMap((service) =>
    entitiesOf(service).map((entity) => ({
      service,
      entity,
      authenticated: authentication !== undefined,
      isStruct: entity !== service.entity,
    })),
  )
}

/**
 * Finds what a resource is now: the one with its name, the one that `#was` says had it, or the one with its path,
 * which is the same for `HTTPLog` and `HttpLog`.
 */
function successor(
  { entity, service, isStruct }: Resource,
  after: readonly Resource[],
): Resource | undefined {
  const { declared, kebab } = entity.names
  return (
    after.find((resource) => resource.entity.names.declared === declared) ??
    after.find((resource) => resource.entity.was?.declared === declared) ??
    after.find(
      (resource) =>
        resource.isStruct === isStruct &&
        resource.service.path === service.path &&
        resource.entity.names.kebab === kebab,
    )
  )
}

function authenticationServiceChanges(older: Platform, newer: Platform): ApiChange[] {
  const [was, is] = [older.authentication, newer.authentication]
  if ((was === undefined) === (is === undefined)) return []
  return ['register', 'login'].map((operation) =>
    was === undefined
      ? change(`POST ${is?.path}/${operation}`, 'endpoint-added', 'The endpoint is new')
      : change(`POST ${was.path}/${operation}`, 'endpoint-removed', 'The endpoint was removed'),
  )
}

function resourceChanges(was: Resource, is: Resource, newNames: NewNames): ApiChange[] {
  const newEndpoints = new Map(is.entity.endpoints.map((endpoint) => [endpoint.operation, endpoint]))
  const operations = new Set(was.entity.endpoints.map(({ operation }) => operation))
  return [
    ...(!was.isStruct && !is.isStruct ? publicPathChanges(was, is) : []),
    ...was.entity.endpoints.flatMap((endpoint) => {
      const next = newEndpoints.get(endpoint.operation)
      return next === undefined
        ? [removed(nameOf(endpoint))]
        : [
            ...endpointChanges(was, is, endpoint, next),
            ...attributeChanges(was.entity, is.entity, next.operation, newNames).map(applied(next)),
            ...(next.operation === 'list'
              ? criteriaChanges(was.entity, is.entity, newNames).map(applied(next))
              : []),
          ]
    }),
    ...is.entity.endpoints
      .filter(({ operation }) => !operations.has(operation))
      .map(nameOf)
      .map(added),
    ...customChanges(was, is, newNames),
  ]
}

/** The changes of custom endpoints, which belong to the entity of a service. */
function customChanges(was: Resource, is: Resource, newNames: NewNames): ApiChange[] {
  if (was.isStruct || is.isStruct) return [...customNames(was).map(removed), ...customNames(is).map(added)]
  const changes = customEndpointChanges(was, is, newNames)
  return [
    ...changes.removed.map(customName).map(removed),
    ...changes.kept.flatMap(([older, newer, rules]) => [
      ...pathChange(customName(older), customName(newer)),
      ...rules.map(([rule, reason]) => change(customName(newer), rule, reason)),
    ]),
    ...changes.added.map(customName).map(added),
  ]
}

/** The endpoints of a resource by their methods and paths. */
function endpointNames(resource: Resource): string[] {
  return [...resource.entity.endpoints.map(nameOf), ...customNames(resource)]
}

function customNames({ isStruct, service }: Resource): string[] {
  return isStruct ? [] : service.customEndpoints.map(customName)
}

function customName({ method, path }: CustomEndpoint): string {
  return `${method} ${path}`
}

/** The changes of `#public`. The routes below a path are not part of the definition. */
function publicPathChanges(was: Resource, is: Resource): ApiChange[] {
  // Without authentication, no route needs a token, and every endpoint reports that this changed.
  if (!was.authenticated || !is.authenticated) return []
  const [before, after] = [publicPaths(was), publicPaths(is)]
  const routesBelow = (path: string): string => `${is.service.path}${path}/...`
  return [
    ...[...before.difference(after)].map((path) =>
      change(routesBelow(path), 'authentication-added', 'A token is required'),
    ),
    ...[...after.difference(before)].map((path) =>
      change(routesBelow(path), 'authentication-removed', 'No token is required'),
    ),
  ]
}

/** The paths that need no token, relative to that of the service. */
function publicPaths({ service: { path, publicPaths: paths } }: Resource): Set<string> {
  return new Set(paths.map((each) => each.slice(path.length)))
}

function endpointChanges(was: Resource, is: Resource, older: Endpoint, newer: Endpoint): ApiChange[] {
  const changes = [
    ...securityChanges(was, is, newer),
    ...responseChanges(was, is, older, newer),
    ...versionChanges(was.entity.version, is.entity.version, newer),
    ...(newer.operation === 'create' ? keyChanges(was.service, is.service) : []),
  ]
  return [...pathChange(nameOf(older), nameOf(newer)), ...changes.map(applied(newer))]
}

function pathChange(older: string, newer: string): ApiChange[] {
  return older === newer ? [] : [change(older, 'path-changed', `The endpoint is now \`${newer}\``)]
}

function applied(endpoint: Endpoint): (change: AppliedRule) => ApiChange {
  return ([rule, reason]) => change(nameOf(endpoint), rule, reason)
}

function securityChanges(was: Resource, is: Resource, { operation }: Endpoint): AppliedRule[] {
  const [before, now] = [accessIn(was, operation), accessIn(is, operation)]
  const reason = `Access changed from ${accessText(was, operation)} to ${accessText(is, operation)}`
  const changes: AppliedRule[] = []
  if (is.authenticated && !was.authenticated) changes.push(['authentication-added', 'A token is required'])
  if (was.authenticated && !is.authenticated) changes.push(['authentication-removed', 'No token is required'])
  const isOnce = { was: createsOnce(was, operation), is: createsOnce(is, operation) }
  if (!admitsAllOf(now, before) || (isOnce.is && !isOnce.was)) changes.push(['access-narrowed', reason])
  else if (!admitsAllOf(before, now) || (isOnce.was && !isOnce.is)) changes.push(['access-widened', reason])
  return changes
}

/** The callers that an endpoint admits, tokens aside. */
function accessIn({ isStruct, service }: Resource, operation: Operation): Access {
  return accessTo(operation, isStruct, service)
}

/** Whether a user can create only one entity. */
function createsOnce({ isStruct, service }: Resource, operation: Operation): boolean {
  return operation === 'create' && !isStruct && service.storesUsers
}

function accessText({ isStruct, service, authenticated }: Resource, operation: Operation): string {
  return describeAccess(operation, isStruct, service, authenticated)
}

function responseChanges(was: Resource, is: Resource, older: Endpoint, newer: Endpoint): AppliedRule[] {
  const [before, now] = [was.entity.listKey, is.entity.listKey]
  const changes: AppliedRule[] = []
  if (older.success !== newer.success)
    changes.push(['status-changed', `The success status is ${newer.success} (before: ${older.success})`])
  if (newer.operation === 'list' && before !== now)
    changes.push(['list-key-changed', `Responses contain the list as \`${now}\` (before: \`${before}\`)`])
  return changes
}

/** The changes of `#idempotent`. */
function keyChanges(was: Service, is: Service): AppliedRule[] {
  if (was.idempotent === is.idempotent) return []
  return is.idempotent
    ? [['key-added', 'Requests can have an `Idempotency-Key`']]
    : [['key-removed', '`Idempotency-Key` is ignored']]
}

/** The changes of `#versioned`. */
function versionChanges(was: Entity['version'], is: Entity['version'], endpoint: Endpoint): AppliedRule[] {
  if (was === is) return []
  if (returnsOne(endpoint)) {
    if (was === undefined) return [['version-added', 'Responses have a version as `ETag`']]
    if (is === undefined) return [['version-removed', 'Responses no longer have a version as `ETag`']]
  }
  if (!writesOne(endpoint)) return []
  if (is === 'required') return [['version-required', 'Requests must contain `If-Match`']]
  if (is === undefined) return [['version-removed', '`If-Match` is ignored']]
  return was === 'required' ? [['version-optional', 'Requests can leave `If-Match` out']] : []
}

function removed(endpoint: string): ApiChange {
  return change(endpoint, 'endpoint-removed', 'The endpoint was removed')
}

function added(endpoint: string): ApiChange {
  return change(endpoint, 'endpoint-added', 'The endpoint is new')
}

function change(endpoint: string, rule: ApiRule, reason: string): ApiChange {
  return { rule, breaking: RULES[rule], endpoint, reason }
}

/** The method and the shortest path of an endpoint. */
function nameOf({ method, paths }: Endpoint): string {
  return `${method} ${paths.toSorted((one, other) => one.length - other.length)[0]}`
}
