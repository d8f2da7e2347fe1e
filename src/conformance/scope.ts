import { randomUUID } from 'node:crypto'
import type { Attribute } from '../model/platform.ts'
import { bodyOf, requestedOf, type Values } from './body.ts'
import type { Callers } from './check.ts'
import type { Ask, Caller } from './client.ts'
import { type Exchange, ShortfallError, SkipError } from './exchange.ts'
import { expectAnswer, stringOf } from './expect.ts'
import { targetPlace } from './feasibility.ts'
import { collectionPath, endpointOf, itemPath, type Place, placeOf } from './place.ts'
import { modestValue } from './values/sample.ts'
import { plain, type Value } from './values/value.ts'
import { zeroOf } from './values/zero.ts'
import type { Made, World } from './world.ts'

/** How an entity is to be made. */
export interface Making {
  readonly by: Caller
  /** Of an entry; made first where it is left out. */
  readonly parent?: Made
  /** Headers of the request that makes it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Values in place of drawn ones. */
  readonly values?: ReadonlyMap<string, Value> | readonly (readonly [string, Value])[]
}

/** What one check made and holds, on top of the world that all checks share. */
export class Scope {
  readonly world: World
  readonly #made: Made[] = []
  readonly #held: { place: Place; attribute: Attribute; value: Value }[] = []
  readonly #guests: { service: string; caller: Caller }[] = []
  readonly #siblings = new Map<string, Promise<Made>>()

  constructor(world: World) {
    this.world = world
  }

  /** Sends one request. */
  send(ask: Ask): Promise<Exchange> {
    return this.world.client.send(ask)
  }

  /** Different callers who have not used up what they may make at this place. */
  async callers(place: Place, count: number): Promise<Callers> {
    const callers = await this.#unsettled(place, count)
    if (!this.world.pristine) await Promise.all(callers.map((caller) => this.#settle(caller, place)))
    return callers as unknown as Callers
  }

  async #unsettled(place: Place, count: number): Promise<Caller[]> {
    const { onePerCaller } = this.world.feasible(placeOf(place.service))
    if (!onePerCaller) return this.world.residents(count)
    return Promise.all(Array.from({ length: count }, () => this.#guest(place.service.names.declared)))
  }

  /**
   * Gives a caller an entity in the other `#auth` services, without which hooks of a user may refuse them: in all
   * of them, or in those alone whose entities refer to nothing.
   */
  async #settle(caller: Caller, { service }: Place, alone = false): Promise<void> {
    const others = this.world.platform.services.filter((other) => other.identity && other !== service)
    for (const target of others.map(placeOf)) {
      if (this.world.feasible(target).blocked !== undefined) continue
      if (!alone || !this.#refers(target)) await this.#referenced(target, caller, false)
    }
  }

  #refers(place: Place): boolean {
    return requestedOf(place).some(
      (attribute) => targetPlace(this.world.platform, place, attribute) !== undefined,
    )
  }

  /** One caller as `callers` gives them. */
  async caller(place: Place): Promise<Caller> {
    const [caller] = await this.callers(place, 1)
    return caller
  }

  /** The parent that entries of this place need; `undefined` for a service's own entities. */
  async parentFor(place: Place, by: Caller): Promise<Made | undefined> {
    return place.struct ? this.make(placeOf(place.service), { by }) : undefined
  }

  /**
   * Values for all that clients send: the given ones, and drawn ones for the rest. What required references
   * refer to is made first.
   */
  async draft(
    place: Place,
    by: Caller,
    parent: Made | undefined,
    given: Iterable<readonly [string, Value]> = [],
  ): Promise<Values> {
    const known = new Map(given)
    const values = new Map<string, Value>()
    for (const attribute of place.entity.attributes)
      if (attribute.unique && !attribute.requested) this.#takeZero(place, attribute)
    for (const attribute of requestedOf(place)) {
      const name = attribute.names.declared
      values.set(name, known.get(name) ?? (await this.#valueFor(place, attribute, by, parent)))
    }
    return values
  }

  /** New values for something made; @unique references stay, as there may be nothing else that they could be. */
  async redraft({ place, by, parent, values }: Made): Promise<Values> {
    const drafted = new Map<string, Value>()
    for (const attribute of requestedOf(place)) {
      const name = attribute.names.declared
      const fixed = attribute.unique && targetPlace(this.world.platform, place, attribute) !== undefined
      const kept = fixed ? values.get(name) : undefined
      drafted.set(name, kept ?? (await this.#valueFor(place, attribute, by, parent)))
    }
    return drafted
  }

  /** Well-formed values that need nothing to exist: references are to nothing. For requests that are refused. */
  emptyDraft(place: Place): Values {
    return new Map(
      requestedOf(place).map(({ names, type }) => [
        names.declared,
        type.kind === 'reference' || type.kind === 'sibling' ? plain(randomUUID()) : modestValue(type),
      ]),
    )
  }

  /** A value of one attribute that nobody else holds where it is `@unique`. */
  fresh(place: Place, attribute: Attribute, by: Caller, parent: Made | undefined): Promise<Value> {
    return this.#valueFor(place, attribute, by, parent)
  }

  /** Reserves a value of a `@unique` attribute; `false` where another check holds it. */
  claim(place: Place, attribute: Attribute, value: Value): boolean {
    if (!attribute.unique) return true
    if (!this.world.uniques.claim(place, attribute, value)) return false
    this.#held.push({ place, attribute, value })
    return true
  }

  /** Makes an entity or entry. Throws a `SkipError` where the place has no room left, a `ShortfallError` otherwise. */
  async make(place: Place, { by, parent, headers = {}, values = [] }: Making): Promise<Made> {
    const { blocked, capacity } = this.world.feasible(place)
    if (blocked !== undefined) throw new SkipError(blocked)
    const under = parent ?? (await this.parentFor(place, by))
    for (let attempt = 0; ; attempt++) {
      const sent = await this.draft(place, by, under, values)
      const exchange = await this.send(creation(place, under, by, sent, headers))
      // Others may hold values of a small range on a platform that is not this run's own.
      if (exchange.answer.status === 409 && !this.world.pristine && capacity < Number.POSITIVE_INFINITY) {
        if (attempt >= capacity)
          throw new SkipError(`all values of a @unique attribute of ${place.label} are in use`)
        continue
      }
      expectAnswer(exchange, { status: 201 })
      return this.adopt({ place, parent: under, id: stringOf(exchange, 'id'), values: sent, by })
    }
  }

  /** Makes an entity or entry of values that are a whole draft of the same caller. */
  async makeOf(place: Place, by: Caller, parent: Made | undefined, values: Values): Promise<Made> {
    const exchange = await this.send(creation(place, parent, by, values, {}))
    expectAnswer(exchange, { status: 201 })
    return this.adopt({ place, parent, id: stringOf(exchange, 'id'), values, by })
  }

  /** Takes care of something that a check made by a request of its own. */
  adopt(made: Made): Made {
    this.#made.push(made)
    if (made.place.service.identity && !made.place.struct)
      this.world.identities.set(`${made.place.label} ${made.by.id}`, made)
    return made
  }

  /** Forgets an entity that a check has deleted. */
  disown(made: Made): void {
    const index = this.#made.indexOf(made)
    if (index !== -1) this.#made.splice(index, 1)
    const key = `${made.place.label} ${made.by.id}`
    if (this.world.identities.get(key) === made) this.world.identities.delete(key)
  }

  /** The path of something made. */
  pathOf({ place, parent, id }: Made): string {
    return itemPath(place, parent?.id, id)
  }

  /**
   * Deletes what was made where room is short or the platform is not this run's own, last first, and gives
   * values back. What cannot be deleted stays, with its values.
   */
  async tidy(): Promise<void> {
    const kept = new Set<string>()
    for (const made of [...this.#made].reverse()) {
      const { place, by } = made
      if (!this.#isScarce(place) || !endpointOf(place, 'delete') || !(await this.#delete(made, by)))
        kept.add(place.label)
    }
    for (const { service, caller } of this.#guests)
      if (!kept.has(service)) this.world.release(service, caller)
    for (const { place, attribute, value } of this.#held)
      if (!kept.has(place.label)) this.world.uniques.free(place, attribute, value)
  }

  /** Whether what is left there stands in the way of other checks, or of whom the platform belongs to. */
  #isScarce(place: Place): boolean {
    const { capacity } = this.world.feasible(place)
    const { service, struct } = place
    return !this.world.pristine || capacity < Number.POSITIVE_INFINITY || (service.identity && !struct)
  }

  async #guest(service: string): Promise<Caller> {
    const caller = await this.world.guest(service)
    this.#guests.push({ service, caller })
    return caller
  }

  async #delete(made: Made, by: Caller): Promise<boolean> {
    try {
      const { answer } = await this.send({ method: 'DELETE', path: this.pathOf(made), as: by })
      this.disown(made)
      return answer.status === 200 || answer.status === 404
    } catch (error) {
      // A check of its own deletes; tidying up must not fail the check that made this.
      if (error instanceof ShortfallError) return false
      throw error
    }
  }

  /** Without hooks all hold the zero value of a @unique attribute of the server's, so that there is room for one. */
  #takeZero(place: Place, attribute: Attribute): void {
    const zero = plain(zeroOf(attribute))
    if (this.claim(place, attribute, zero) || !this.world.pristine) return
    throw new SkipError(`one of ${place.label} is there, and \`${attribute.names.declared}\` is @unique`)
  }

  async #valueFor(place: Place, attribute: Attribute, by: Caller, parent: Made | undefined): Promise<Value> {
    const { type, unique } = attribute
    if (type.kind !== 'reference' && type.kind !== 'sibling') {
      if (!unique) return modestValue(type)
      const value = this.world.uniques.take(place, attribute, type)
      this.#held.push({ place, attribute, value })
      return value
    }
    const target = targetPlace(this.world.platform, place, attribute)
    if (!target) throw new SkipError(`\`${attribute.names.declared}\` refers to nothing`)
    if (type.kind === 'sibling') return plain((await this.#sibling(target, by, parent, unique)).id)
    if (type.own && !unique && parent) return plain(parent.id)
    return plain((await this.#referenced(target, by, unique)).id)
  }

  async #sibling(target: Place, by: Caller, parent: Made | undefined, unique: boolean): Promise<Made> {
    const making = parent ? { by, parent } : { by }
    if (unique) return this.make(target, making)
    const key = `${target.label} ${parent?.id}`
    const sibling = this.#siblings.get(key) ?? this.make(target, making)
    this.#siblings.set(key, sibling)
    return sibling
  }

  /** An entity of another service that the caller may refer to: a new one for a `@unique` reference, else a shared one. */
  async #referenced(target: Place, by: Caller, unique: boolean): Promise<Made> {
    const { onePerCaller } = this.world.feasible(target)
    const open = target.service.readable === 'all'
    if (unique && !onePerCaller) return this.make(target, { by })
    if (unique && open) return this.make(target, { by: await this.world.stranger() })
    const owned = this.world.identities.get(`${target.label} ${by.id}`)
    if (owned && by.id !== '') return owned
    // Whoever has a place for their own data in an #auth service refers to that, as people do.
    const shared = open && !onePerCaller
    const key = shared ? target.label : `${target.label} ${by.id}`
    const standing = this.world.standing.get(key) ?? this.#stand(target, shared ? undefined : by)
    this.world.standing.set(key, standing)
    // What failed once is tried again by the next check that needs it: one slow start fails one check.
    standing.catch(() => this.world.standing.delete(key))
    return standing
  }

  /** Made in a scope of its own: it outlives this check. */
  async #stand(target: Place, by: Caller | undefined): Promise<Made> {
    const scope = new Scope(this.world)
    return scope.make(target, { by: by ?? (await scope.#maker(target)) })
  }

  /** Who makes what is shared. Their entity of an `#auth` service would wait for it where it refers to it. */
  async #maker(target: Place): Promise<Caller> {
    const [maker] = await this.#unsettled(target, 1)
    if (maker === undefined) throw new Error('Nobody is there to make what is shared')
    if (!this.world.pristine) await this.#settle(maker, target, true)
    return maker
  }
}

function creation(
  place: Place,
  parent: Made | undefined,
  by: Caller,
  values: Values,
  headers: Readonly<Record<string, string>>,
): Ask {
  return { method: 'POST', path: collectionPath(place, parent?.id), as: by, headers, body: bodyOf(values) }
}
