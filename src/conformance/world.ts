import { randomBytes } from 'node:crypto'
import type { Platform } from '../model/platform.ts'
import type { Values } from './body.ts'
import type { SigningCredential, Target } from './check.ts'
import type { Caller, Client } from './client.ts'
import { expectAnswer, stringOf } from './expect.ts'
import { type Feasibility, feasibility } from './feasibility.ts'
import { type Place, placeNamed } from './place.ts'
import { idOf } from './tokens.ts'
import { UniqueValues } from './unique.ts'

/** An entity or entry that this run made. */
export interface Made {
  readonly place: Place
  /** Of an entry. */
  readonly parent: Made | undefined
  readonly id: string
  /** What was sent. */
  readonly values: Values
  readonly by: Caller
}

const NAMES = ['Alice', 'Bob', 'Carol', 'Dave', 'Erin', 'Frank', 'Grace', 'Heidi', 'Ivan', 'Judy']

/** A password of everybody that the run registers. */
export const PASSWORD = 'correct horse 7'

/** What all checks of one run share: users, the values that they hold, and entities that others refer to. */
export class World {
  readonly platform: Platform
  readonly client: Client
  readonly pristine: boolean
  readonly credential: SigningCredential | undefined
  readonly uniques = new UniqueValues()
  /** Entities that references of several checks share, by place and, where only the creator reads, caller. */
  readonly standing = new Map<string, Promise<Made>>()
  /** The one entity of a caller in an `#auth` service. */
  readonly identities = new Map<string, Made>()
  /** Callers whose one entity of an `#auth` service is deleted again, by the service's name. */
  readonly #free = new Map<string, Caller[]>()
  readonly #feasible = new Map<string, Feasibility>()
  readonly #residents = new Map<number, Promise<Caller>>()
  #registered = 0

  constructor(platform: Platform, client: Client, { pristine, credential }: Target) {
    this.platform = platform
    this.client = client
    this.pristine = pristine
    this.credential = credential
  }

  /** What can be made at a place. */
  feasible(place: Place): Feasibility {
    const known = this.#feasible.get(place.label)
    if (known) return known
    const worked = feasibility(this.platform, place)
    this.#feasible.set(place.label, worked)
    return worked
  }

  /** Callers that all checks share, the first few of a fixed order. They are registered when first asked for. */
  async residents(count: number): Promise<Caller[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.#resident(index)))
  }

  #resident(index: number): Promise<Caller> {
    const resident = this.#residents.get(index) ?? this.stranger()
    this.#residents.set(index, resident)
    // A registration that failed is tried again by the next check.
    resident.catch(() => this.#residents.delete(index))
    return resident
  }

  /** A caller without an entity of this `#auth` service, and without references to it. */
  async guest(service: string): Promise<Caller> {
    return this.#free.get(service)?.pop() ?? this.stranger()
  }

  /** Takes back a caller whose entity of this service is deleted: registering another is dear. */
  release(service: string, caller: Caller): void {
    this.#free.set(service, [...(this.#free.get(service) ?? []), caller])
  }

  /** A caller whom nobody has seen before; without authentication everybody is. */
  async stranger(): Promise<Caller> {
    const name = NAMES[this.#registered] ?? `user ${this.#registered + 1}`
    this.#registered++
    if (!this.platform.authentication) return { name, id: '', token: undefined }
    const exchange = await this.client.sendPatiently({
      method: 'POST',
      path: `${this.platform.authentication.path}/register`,
      body: JSON.stringify({ email: freshEmail(), password: PASSWORD }),
    })
    expectAnswer(exchange, { status: 201 })
    const token = stringOf(exchange, 'AccessToken')
    return { name, id: idOf(token), token }
  }

  /** The place of a service by its declared name. */
  placeNamed(declared: string): Place {
    return placeNamed(this.platform, declared)
  }
}

/** An email address that nobody has registered. `example.com` is reserved for such uses (RFC 2606). */
export function freshEmail(): string {
  return `portico-${randomBytes(9).toString('hex')}@example.com`
}
