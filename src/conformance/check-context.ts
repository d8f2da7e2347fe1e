import { duplicateText } from '../model/error-texts.ts'
import { bodyOf, requestAttributes, type AttributeValues } from './body.ts'
import type { RequestOptions, User } from './client.ts'
import { type Exchange, ViolationError, SkipError } from './exchange.ts'
import { expectResponse, stringOf } from './expect.ts'
import { targetResource } from './feasibility.ts'
import {
  collectionPath,
  endpointOf,
  entityName,
  itemPath,
  type Resource,
  serviceResource,
} from './resource.ts'
import type { Value } from './values/value.ts'
import type { CreatedEntity, TestContext, Users } from './test-context.ts'
import { EntityValues, type EntitySource } from './entity-values.ts'

/** How to create an entity. */
interface CreateOptions {
  readonly user: User
  /** The parent of an entry. Default: a new one. */
  readonly parent?: CreatedEntity
  /** Returns the headers of a request. Each attempt has its own. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** Values to use instead of generated ones. */
  readonly values?: ReadonlyMap<string, Value> | readonly (readonly [string, Value])[]
}

function isDuplicate(exchange: Exchange, resource: Resource): boolean {
  return (
    exchange.response.status === 409 && stringOf(exchange, 'error') === duplicateText(entityName(resource))
  )
}

/** The entities and users of one check, and the values of its entities, on top of what all checks share. */
export class CheckContext implements EntitySource {
  readonly test: TestContext
  readonly values: EntityValues
  readonly #created: CreatedEntity[] = []
  readonly #usersWithoutEntity: { service: string; user: User }[] = []

  constructor(test: TestContext) {
    this.test = test
    this.values = new EntityValues(test, this)
  }

  /** Sends one request. Where entities have required versions, one without a version is about any. */
  send(request: RequestOptions): Promise<Exchange> {
    const isWrite = ['PUT', 'PATCH', 'DELETE'].includes(request.method)
    if (!isWrite || !this.test.requiresVersions) return this.test.client.send(request)
    return this.test.client.send({ ...request, headers: { 'if-match': '*', ...request.headers } })
  }

  /** Returns different users who can create entities of this resource. */
  async users(resource: Resource, count: number): Promise<Users> {
    const users = await this.#usersFor(resource, count)
    if (!this.test.isolated) await Promise.all(users.map((user) => this.#createIdentities(user, resource)))
    return users as unknown as Users
  }

  async #usersFor(resource: Resource, count: number): Promise<User[]> {
    const { onePerUser } = this.test.feasibility(serviceResource(resource))
    const users = onePerUser
      ? await Promise.all(
          Array.from({ length: count }, () => this.#userWithoutEntity(resource.service.names.declared)),
        )
      : await this.test.sharedUsers(count)
    return users.map((user) => this.test.asCreator(resource, user))
  }

  /**
   * Creates the user's entities of the other `#auth` services, which hooks may require. With `independentOnly`,
   * creates only those that refer to nothing.
   */
  async #createIdentities(user: User, resource: Resource, independentOnly = false): Promise<void> {
    for (const service of resource.platform.services) {
      if (!service.storesUsers || service === resource.service) continue
      const target = serviceResource({ ...resource, service })
      if (this.test.feasibility(target).blocked !== undefined) continue
      if (!independentOnly || !this.#hasReferences(target)) await this.referenceTarget(target, user, false)
    }
  }

  #hasReferences(resource: Resource): boolean {
    return requestAttributes(resource).some((attribute) => targetResource(resource, attribute) !== undefined)
  }

  /** Returns a user who can create entities of this resource. */
  async user(resource: Resource): Promise<User> {
    const [user] = await this.users(resource, 1)
    return user
  }

  /** Creates the parent for entries of this resource; returns `undefined` for a service's own resource. */
  async parentFor(resource: Resource, user: User): Promise<CreatedEntity | undefined> {
    return resource.struct ? this.create(serviceResource(resource), { user }) : undefined
  }

  /** Creates an entity. Throws `SkipError` if the resource has no unused values left, else `ViolationError`. */
  async create(
    resource: Resource,
    { user, parent, headers = () => ({}), values = [] }: CreateOptions,
  ): Promise<CreatedEntity> {
    const { blocked, capacity } = this.test.feasibility(resource)
    if (blocked !== undefined) throw new SkipError(blocked)
    const under = parent ?? (await this.parentFor(resource, user))
    for (let attempt = 0; ; attempt++) {
      const sent = await this.values.generate(resource, user, under, values)
      const exchange = await this.send(creation(resource, under, user, sent, headers()))
      // On a shared platform others may use values of a small range. Other conflicts are those of hooks.
      if (isDuplicate(exchange, resource) && !this.test.isolated && capacity < Number.POSITIVE_INFINITY) {
        if (attempt >= capacity)
          throw new SkipError(`all values of a @unique attribute of ${resource.label} are in use`)
        continue
      }
      expectResponse(exchange, { status: 201 })
      return this.track({ resource, parent: under, id: stringOf(exchange, 'id'), values: sent, user })
    }
  }

  /** Creates an entity with values generated for the same user. */
  async createFrom(
    resource: Resource,
    user: User,
    parent: CreatedEntity | undefined,
    values: AttributeValues,
  ): Promise<CreatedEntity> {
    const exchange = await this.send(creation(resource, parent, user, values, {}))
    expectResponse(exchange, { status: 201 })
    return this.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
  }

  /** Registers an entity that a check created itself for clean-up. */
  track(created: CreatedEntity): CreatedEntity {
    this.#created.push(created)
    if (created.resource.service.storesUsers && !created.resource.struct)
      this.test.identities.set(`${created.resource.label} ${created.user.id}`, created)
    return created
  }

  /** Unregisters an entity that a check has deleted. */
  untrack(created: CreatedEntity): void {
    const index = this.#created.indexOf(created)
    if (index !== -1) this.#created.splice(index, 1)
    const key = `${created.resource.label} ${created.user.id}`
    if (this.test.identities.get(key) === created) this.test.identities.delete(key)
  }

  /** Returns the path of a created entity. */
  pathOf({ resource, parent, id }: CreatedEntity): string {
    return itemPath(resource, parent?.id, id)
  }

  /**
   * Deletes the created entities that other checks or the platform's users would notice, the last first, and releases
   * their values. Entities that cannot be deleted keep their values.
   */
  async cleanUp(): Promise<void> {
    const kept = new Set<string>()
    for (const created of [...this.#created].reverse()) {
      const { resource, user } = created
      if (
        !this.#mustCleanUp(resource) ||
        !endpointOf(resource, 'delete') ||
        !(await this.#delete(created, user))
      )
        kept.add(resource.label)
    }
    for (const { service, user } of this.#usersWithoutEntity)
      if (!kept.has(service)) this.test.release(service, user)
    this.values.release(kept)
  }

  /** Whether remaining entities would disturb other checks or the platform's users. */
  #mustCleanUp(resource: Resource): boolean {
    const { capacity } = this.test.feasibility(resource)
    const { service, struct } = resource
    return !this.test.isolated || capacity < Number.POSITIVE_INFINITY || (service.storesUsers && !struct)
  }

  async #userWithoutEntity(service: string): Promise<User> {
    const user = await this.test.userWithoutEntity(service)
    this.#usersWithoutEntity.push({ service, user })
    return user
  }

  async #delete(created: CreatedEntity, user: User): Promise<boolean> {
    try {
      const { response } = await this.send({ method: 'DELETE', path: this.pathOf(created), as: user })
      this.untrack(created)
      return response.status === 200 || response.status === 404
    } catch (error) {
      // Another check tests delete; cleaning up must not fail this one.
      if (error instanceof ViolationError) return false
      throw error
    }
  }

  /** Returns an entity that the user can refer to: a new one for a `@unique` reference, else a shared one. */
  async referenceTarget(target: Resource, user: User, unique: boolean): Promise<CreatedEntity> {
    const { onePerUser } = this.test.feasibility(target)
    const open = target.service.readable === 'all'
    if (unique && !onePerUser) return this.create(target, { user })
    if (unique && open)
      return this.create(target, { user: this.test.asCreator(target, await this.test.freshUser()) })
    const owned = this.test.identities.get(`${target.label} ${user.id}`)
    if (owned && user.id !== '') return owned
    // A user who has an entity of an #auth service refers to that one.
    const shared = open && !onePerUser
    const key = shared ? target.label : `${target.label} ${user.id}`
    const sharedEntities =
      this.test.sharedEntities.get(key) ?? this.#createShared(target, shared ? undefined : user)
    this.test.sharedEntities.set(key, sharedEntities)
    // The next check that needs the entity tries again.
    sharedEntities.catch(() => this.test.sharedEntities.delete(key))
    return sharedEntities
  }

  /** Creates a shared entity in a context of its own, because it outlives this check. */
  async #createShared(target: Resource, user: User | undefined): Promise<CreatedEntity> {
    const context = new CheckContext(this.test)
    return context.create(target, { user: user ?? (await context.#sharedCreator(target)) })
  }

  /**
   * Returns the creator of shared entities, with those `#auth` entities that refer to nothing: others could wait for
   * it.
   */
  async #sharedCreator(target: Resource): Promise<User> {
    const [creator] = await this.#usersFor(target, 1)
    if (creator === undefined) throw new Error('Expected a user who can create shared entities')
    if (!this.test.isolated) await this.#createIdentities(creator, target, true)
    return creator
  }
}

function creation(
  resource: Resource,
  parent: CreatedEntity | undefined,
  user: User,
  values: AttributeValues,
  headers: Readonly<Record<string, string>>,
): RequestOptions {
  return {
    method: 'POST',
    path: collectionPath(resource, parent?.id),
    as: user,
    headers,
    body: bodyOf(values),
  }
}
