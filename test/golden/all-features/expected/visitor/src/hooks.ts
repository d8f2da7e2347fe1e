import type { Hono } from 'hono'
import type { Registry } from 'prom-client'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { hook } from '#lib/hooks.ts'
import { asCaller, type Limits } from '#lib/limits.ts'
import type { Log } from '#lib/log.ts'
import type { OnStop } from '#lib/server.ts'
import type { Caller } from '#lib/tokens.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type {
  CreateVisitor,
  UpdateVisitor,
  UpdateVisitorRequest,
  Visitor,
  VisitorRequest,
} from './entities.ts'
import { visitorAccess, visitorQueries } from './queries/visitor.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: VisitorRequest, input: CreateVisitor, caller: Caller]>(),
  afterCreate: hook<[env: Env, visitor: Visitor, caller: Caller]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterRead: hook<[env: Env, visitor: Visitor, caller: Caller]>(),
  beforeUpdate: hook<[env: Env, request: UpdateVisitorRequest, input: UpdateVisitor, caller: Caller]>(),
  afterUpdate: hook<[env: Env, visitor: Visitor, caller: Caller]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => {
  const visitorQueriesAs = visitorQueries(db)
  const queriesAs = (limits?: Limits) => ({
    ...visitorQueriesAs(limits),
  })
  return {
    db,
    ...queriesAs(),
    ...queries(db),
    /** The queries on behalf of a caller, who sees and changes what the access rules allow: without a caller, nothing. */
    as: asCaller((caller) =>
      queriesAs({
        writer: caller,
        creator: caller,
      }),
    ),
  }
})

/** Creates the access checks. */
export const createAccess = perDatabase((db: Database) => visitorAccess(db))

/** What hooks and routes work with. In the hooks of a write, it belongs to the transaction of the write. */
export interface Env {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly hooks: ReturnType<typeof createHooks>
  /** The message for each constraint of the database that a request can violate. Those of your own can be added. */
  readonly conflicts: Conflicts
  readonly datastore: ReturnType<typeof createDatastore>
  readonly access: ReturnType<typeof createAccess>
  /** Runs the work in a transaction, which an error rolls back. Within a transaction, the work becomes part of it. */
  transaction<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Runs work that does not belong to the transaction of the hook, with the `env` of `setup`. */
  outside<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Calls a function after the transaction is committed, or immediately outside of a transaction. */
  readonly afterCommit: AfterCommit
  /** The registry of what `/metrics` reports. */
  readonly metrics: Registry
  /** Calls a function when the service stops. */
  readonly onStop: OnStop
}

/** A router for the service's own routes: `/visitor/...`. */
export type Router = Hono<ApiEnv & { Variables: { caller: Caller } }>
