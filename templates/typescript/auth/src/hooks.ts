import type { Hono } from 'hono'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { hook } from '#lib/hooks.ts'
import type { Log } from '#lib/log.ts'
import type { OnStop } from '#lib/server.ts'
import type { Caller } from '#lib/tokens.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type { Passwords } from './passwords.ts'
import { type Auth, authQueries } from './queries.ts'
import type { Credentials } from './requests.ts'
import { type Registration, roleQueries } from './roles.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** The user and the new token. Only the token is sent to the client. */
export interface AuthResult {
  readonly id: string
  readonly email: string
  AccessToken: string
}

type Before<Input> = [env: Env, request: Credentials, input: Input, caller: undefined]
/** The caller has the token that was just issued. */
type After = [env: Env, auth: AuthResult, caller: Caller]

/** What setup.ts may register. */
export const createHooks = () => ({
  beforeRegister: hook<Before<Registration>>(),
  afterRegister: hook<After>(),
  beforeLogin: hook<Before<Credentials>>(),
  afterLogin: hook<After>(),
})

/** The queries for hooks and routes. */
export const createDatastore = perDatabase((db: Database) => ({
  db,
  ...authQueries(db),
  ...roleQueries(db),
  ...queries(db),
}))

/** What hooks and routes can use. In the hooks of a registration, `datastore` belongs to its transaction. */
export interface Env {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly hooks: ReturnType<typeof createHooks>
  /** The message for each constraint of the database that a request can violate. Those of your own can be added. */
  readonly conflicts: Conflicts
  readonly datastore: ReturnType<typeof createDatastore>
  readonly passwords: Passwords
  /** Issues an access token for an account, with its roles, as registration and login do. */
  readonly issueToken: (account: Auth) => Promise<string>
  /** Runs the work in a transaction, which an error rolls back. Within a transaction, the work becomes part of it. */
  transaction<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Runs work that does not belong to the transaction of the hook, with the `env` of `setup`. */
  outside<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Calls a function after the transaction is committed, or immediately outside of a transaction. */
  readonly afterCommit: AfterCommit
  /** Calls a function when the service stops. */
  readonly onStop: OnStop
}

/** The context of routes. */
export interface RouteEnv extends ApiEnv {
  Variables: ApiEnv['Variables'] & {
    /** Who sent the request, if it has a valid token. */
    caller: Caller | undefined
  }
}

/** A Hono router for further routes. Clients call `/auth/...` as `/api/auth/...`. */
export type Router = Hono<RouteEnv>
