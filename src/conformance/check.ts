import type { Caller } from './client.ts'
import type { Shortfall } from './exchange.ts'
import type { Scope } from './scope.ts'

/** One thing that a platform has to do, said as its user would. */
export interface Check {
  /** What it is about: `Gateway`, `Auth`, `Home`, `Home.Photo`. */
  readonly group: string
  /** The service whose checks run one after the other, in the order of derivation. */
  readonly sequence: string
  /** `only the creator can read (3 users)`. */
  readonly sentence: string
  /** Why it cannot be checked on this platform; `undefined` where it can. */
  readonly skip: string | undefined
  /** Asks and compares. Throws a `ShortfallError` or a `SkipError`; `scope` is its own and thrown away afterwards. */
  readonly run: (scope: Scope) => Promise<void>
}

/** How a check ended. */
export interface Result {
  readonly group: string
  readonly sentence: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason: string | undefined
  /** How the platform fell short. */
  readonly shortfall: Shortfall | undefined
}

/** The whole run. */
export interface Summary {
  readonly results: readonly Result[]
  readonly requests: number
}

/** A credential of the gateway: the `iss` of its tokens and the key that signs them. */
export interface SigningCredential {
  readonly id: string
  /** 32 bytes in base64url. */
  readonly secret: string
}

/** What is known of the platform that runs, besides its definition. */
export interface Target {
  /** `host:port`. */
  readonly gateway: string
  /** It was generated just now, so no hook of a user changes what it does, and nobody else uses it. */
  readonly pristine: boolean
  /** Lets tokens be made that are expired or signed with another algorithm. */
  readonly credential: SigningCredential | undefined
}

/** Several callers, at least one. */
export type Callers = readonly [Caller, ...Caller[]]
