import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Caller } from './identity.ts'
import type { Log } from './log.ts'
import type { Passwords } from './passwords.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** What a client sends to register or to log in. */
export interface CredentialsRequest {
  email: string
  password: string
}

/** What is stored, the password as its hash, or looked up and compared. */
export interface CredentialsInput {
  email: string
  password: string
}

/** Whom the answer is for, and what is answered: the token alone. */
export interface Registered {
  id: string
  email: string
  AccessToken: string
}

type Before = Hook<[env: Env, request: CredentialsRequest, input: CredentialsInput, caller: undefined]>
/** The caller holds the token that was just issued. */
type After = Hook<[env: Env, auth: Registered, caller: Caller]>

/** The hooks of each kind, in the order of registration. */
export type HookLists = {
  beforeRegister: Before[]
  afterRegister: After[]
  beforeLogin: Before[]
  afterLogin: After[]
}

/** What hooks and routes have at hand. */
export interface Env {
  readonly config: Config
  readonly datastore: Datastore
  readonly hooks: Registrar<HookLists>
  readonly log: Log
  /** Hashes and compares passwords, off the event loop. */
  readonly passwords: Pick<Passwords, 'hash' | 'matches'>
}

/** What comes with a request. */
export interface RouteContext {
  Bindings: Bindings
  Variables: {
    /** Who sent the request, where it carries a valid token. */
    caller: Caller | undefined
    /** Answers with the status and `{"error": message}`. */
    fail(status: number, message: string): Response
  }
}

/** Takes further routes, with the service's own paths: `/auth/...` is seen as `/api/auth/...`. */
export type Router = Hono<RouteContext>
