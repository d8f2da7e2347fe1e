import { entitiesOf } from '../model/entities.ts'
import { SERVICE_TEXTS } from '../model/error-texts.ts'
import type { Platform } from '../model/platform.ts'
import type { AttributeValues } from './body.ts'
import type { User, Client } from './client.ts'
import { type Exchange, SkipError } from './exchange.ts'
import { expectResponse, stringOf } from './expect.ts'
import { type Feasibility, feasibility } from './feasibility.ts'
import { type Resource, serviceResource } from './resource.ts'
import { claimsOf, idOf, sign } from './jwt.ts'
import { NO_SAMPLES, type Samples } from './samples.ts'
import { UniqueValues } from './unique-values.ts'

/** A credential of the gateway: the `iss` of its tokens and the key that signs them. */
export interface SigningCredential {
  readonly id: string
  /** 32 bytes in base64url. */
  readonly secret: string
}

/** The platform to check. */
export interface TestedPlatform {
  /** `host:port`. */
  readonly gateway: string
  /** The platform was generated for this run: it has no hooks and no other users. */
  readonly isolated: boolean
  /** Required to sign tokens that are expired or use another algorithm. */
  readonly credential: SigningCredential | undefined
  /** The values that its hooks accept. Default: any. */
  readonly samples?: Samples
}

/** One or more users. */
export type Users = readonly [User, ...User[]]

/** An entity or entry that this run created. */
export interface CreatedEntity {
  readonly resource: Resource
  /** The parent of an entry. */
  readonly parent: CreatedEntity | undefined
  readonly id: string
  /** The values in the request. */
  readonly values: AttributeValues
  readonly user: User
}

const NAMES = ['Alice', 'Bob', 'Carol', 'Dave', 'Erin', 'Frank', 'Grace', 'Heidi', 'Ivan', 'Judy']

const PASSWORD = 'correct horse 7'

/** What all checks of a run share: users, `@unique` values in use, and entities that others refer to. */
export class TestContext {
  readonly platform: Platform
  readonly client: Client
  readonly isolated: boolean
  readonly credential: SigningCredential | undefined
  readonly samples: Samples
  /** The password of all users of the run. */
  readonly password: string
  /** Whether requests that change or delete an entity must name its version (`#versioned(required: true)`). */
  readonly requiresVersions: boolean
  readonly uniques = new UniqueValues()
  /** Shared targets of references, by resource and, if only the creator can read them, user. */
  readonly sharedEntities = new Map<string, Promise<CreatedEntity>>()
  /** Each user's entity of an `#auth` service. */
  readonly identities = new Map<string, CreatedEntity>()
  /** Users whose entity of an `#auth` service was deleted, by service. */
  readonly #free = new Map<string, User[]>()
  readonly #feasibility = new Map<string, Feasibility>()
  readonly #sharedUsers = new Map<number, Promise<User>>()
  #registered = 0

  constructor(
    platform: Platform,
    client: Client,
    { isolated, credential, samples = NO_SAMPLES }: TestedPlatform,
  ) {
    this.platform = platform
    this.client = client
    this.isolated = isolated
    this.credential = credential
    this.samples = samples
    this.password = samples.password ?? PASSWORD
    this.requiresVersions = platform.services.some((service) =>
      entitiesOf(service).some(({ version }) => version === 'required'),
    )
  }

  /** Returns what can be created of a resource. */
  feasibility(resource: Resource): Feasibility {
    const key = `${resource.label} ${resource.filled?.names.declared ?? ''}`
    const known = this.#feasibility.get(key)
    if (known) return known
    const worked = feasibility(resource)
    this.#feasibility.set(key, worked)
    return worked
  }

  /** Returns users that all checks share, always the same ones. Registers them on first use. */
  async sharedUsers(count: number): Promise<User[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.#sharedUser(index)))
  }

  #sharedUser(index: number): Promise<User> {
    const user = this.#sharedUsers.get(index) ?? this.freshUser()
    this.#sharedUsers.set(index, user)
    // If a registration fails, the next check tries again.
    user.catch(() => this.#sharedUsers.delete(index))
    return user
  }

  /** Returns a user without an entity of this `#auth` service. */
  async userWithoutEntity(service: string): Promise<User> {
    return this.#free.get(service)?.pop() ?? this.freshUser()
  }

  /** Makes a user available again after their entity was deleted, because registrations are slow. */
  release(service: string, user: User): void {
    this.#free.set(service, [...(this.#free.get(service) ?? []), user])
  }

  /** Returns a user that no other check has. Without authentication returns an anonymous one. */
  async freshUser(): Promise<User> {
    const index = this.#registered++
    const name = NAMES[index] ?? `user ${index + 1}`
    if (!this.platform.authentication) return { name, id: '', token: undefined }
    const token = await this.#tokenOf(this.samples.accounts[index] ?? this.newEmail())
    return { name, id: idOf(token), token }
  }

  /** Returns an email that nobody has. Throws `SkipError` if hooks accept only those of the samples. */
  newEmail(): string {
    const email = this.samples.newEmail()
    if (email !== undefined) return email
    const { length } = this.samples.accounts
    throw new SkipError(`the check needs more emails than the ${length} of the samples: give one with \`*\``)
  }

  /** Registers an email, or logs in with it: one of the samples may be registered already. */
  async #tokenOf(email: string): Promise<string> {
    const registered = await this.#identify('register', email)
    const isKnown = registered.response.text.includes(SERVICE_TEXTS.userExists)
    const identified = isKnown ? await this.#identify('login', email) : registered
    expectResponse(identified, { status: isKnown ? 200 : 201 })
    return stringOf(identified, 'AccessToken')
  }

  #identify(endpoint: 'register' | 'login', email: string): Promise<Exchange> {
    return this.client.sendWithRetry({
      method: 'POST',
      path: `${this.platform.authentication?.path}/${endpoint}`,
      body: JSON.stringify({ email, password: this.password }),
    })
  }

  /** Returns a user with a token that carries exactly these roles. Throws `SkipError` without a credential to sign it. */
  withRoles(user: User, roles: readonly string[]): User {
    if (user.token === undefined) return user
    if (this.credential === undefined) throw new SkipError('signing such tokens requires `--credentials`')
    const claims = { ...claimsOf(user.token), iss: this.credential.id }
    return {
      ...user,
      name: `${user.name} (${roles.length === 0 ? 'no role' : roles.join(', ')})`,
      token: sign(
        { ...claims, roles: roles.length === 0 ? undefined : roles },
        Buffer.from(this.credential.secret, 'base64url'),
      ),
    }
  }

  /** Returns a user who can create entities of this resource, or at least their parents: with all roles if it needs one. */
  asCreator(resource: Resource, user: User): User {
    const own = serviceResource(resource)
    if (![resource, own].some((each) => this.feasibility(each).needsRole)) return user
    return this.withRoles(user, this.platform.authentication?.roles ?? [])
  }
}
