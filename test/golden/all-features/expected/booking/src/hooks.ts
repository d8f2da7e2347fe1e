import type { Hono } from 'hono'
import type { Registry } from 'prom-client'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { endpoint } from '#lib/endpoints.ts'
import { hook } from '#lib/hooks.ts'
import { asCaller, type Limits } from '#lib/limits.ts'
import type { Log } from '#lib/log.ts'
import { ownerFilter } from '#lib/roles.ts'
import type { OnStop } from '#lib/server.ts'
import type { Caller } from '#lib/tokens.ts'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type * as schemas from './endpoints.ts'
import type { Booking, BookingQuery, BookingRequest, CreateBooking, UpdateBooking } from './entities.ts'
import { bookingAccess, bookingQueries } from './queries/booking.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: BookingRequest, input: CreateBooking, caller: Caller]>(),
  afterCreate: hook<[env: Env, booking: Booking, caller: Caller]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterRead: hook<[env: Env, booking: Booking, caller: Caller]>(),
  beforeUpdate: hook<[env: Env, request: BookingRequest, input: UpdateBooking, caller: Caller]>(),
  afterUpdate: hook<[env: Env, booking: Booking, caller: Caller]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  beforeList: hook<[env: Env, input: BookingQuery, caller: Caller]>(),
  afterList: hook<[env: Env, entities: Booking[], caller: Caller]>(),
})

/** Creates the endpoints, whose handlers setup.ts registers. */
export const createEndpoints = () => ({
  move: endpoint<Env, schemas.MoveRequest, Caller, Booking>(),
  cancel: endpoint<Env, schemas.CancelRequest, Caller, schemas.CancelResponse>(),
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => {
  const bookingQueriesAs = bookingQueries(db)
  const queriesAs = (limits?: Limits) => ({
    ...bookingQueriesAs(limits),
  })
  return {
    db,
    ...queriesAs(),
    ...queries(db),
    /** The queries on behalf of a caller, who sees and changes what the access rules allow: without a caller, nothing. */
    as: asCaller((caller) =>
      queriesAs({
        reader: ownerFilter(caller, 'guide', 'organizer'),
        writer: ownerFilter(caller, 'organizer'),
        creator: caller,
      }),
    ),
  }
})

/** Creates the access checks. */
export const createAccess = perDatabase((db: Database) => bookingAccess(db))

/** What hooks and routes work with. In the hooks of a write, it belongs to the transaction of the write. */
export interface Env {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly comm: Comm
  readonly hooks: ReturnType<typeof createHooks>
  readonly endpoints: ReturnType<typeof createEndpoints>
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

/** A router for the service's own routes: `/booking/...`. */
export type Router = Hono<ApiEnv & { Variables: { caller: Caller } }>
