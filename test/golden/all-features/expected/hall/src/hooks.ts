import type { Hono } from 'hono'
import type { Registry } from 'prom-client'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { endpoint, type PageOf } from '#lib/endpoints.ts'
import { hook } from '#lib/hooks.ts'
import type { Log } from '#lib/log.ts'
import type { Page } from '#lib/queries.ts'
import type { OnStop } from '#lib/server.ts'
import type { Caller } from '#lib/tokens.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type * as schemas from './endpoints.ts'
import type {
  Aisle,
  AisleRequest,
  Booth,
  BoothQuery,
  BoothRequest,
  CreateAisle,
  CreateBooth,
  CreateHall,
  Hall,
  HallQuery,
  HallRequest,
  UpdateBooth,
  UpdateHall,
} from './entities.ts'
import { aisleQueries } from './queries/aisle.ts'
import { boothQueries } from './queries/booth.ts'
import { hallAccess, hallQueries } from './queries/hall.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: HallRequest, input: CreateHall, caller: Caller]>(),
  afterCreate: hook<[env: Env, hall: Hall, caller: Caller]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterRead: hook<[env: Env, hall: Hall, caller: Caller]>(),
  beforeUpdate: hook<[env: Env, request: HallRequest, input: UpdateHall, caller: Caller]>(),
  afterUpdate: hook<[env: Env, hall: Hall, caller: Caller]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  beforeList: hook<[env: Env, input: HallQuery, caller: Caller]>(),
  afterList: hook<[env: Env, entities: Hall[], caller: Caller]>(),
  booth: {
    beforeCreate: hook<[env: Env, request: BoothRequest, input: CreateBooth, caller: Caller]>(),
    afterCreate: hook<[env: Env, booth: Booth, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, booth: Booth, caller: Caller]>(),
    beforeUpdate: hook<[env: Env, request: BoothRequest, input: UpdateBooth, caller: Caller]>(),
    afterUpdate: hook<[env: Env, booth: Booth, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
    beforeList: hook<[env: Env, input: BoothQuery & { parentId: string }, caller: Caller]>(),
    afterList: hook<[env: Env, entities: Booth[], caller: Caller]>(),
  },
  aisle: {
    beforeCreate: hook<[env: Env, request: AisleRequest, input: CreateAisle, caller: Caller]>(),
    afterCreate: hook<[env: Env, aisle: Aisle, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, aisle: Aisle, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
    beforeList: hook<[env: Env, input: Page & { parentId: string }, caller: Caller]>(),
    afterList: hook<[env: Env, entities: Aisle[], caller: Caller]>(),
  },
})

/** Creates the endpoints, whose handlers setup.ts registers. */
export const createEndpoints = () => ({
  price: endpoint<Env, schemas.PriceRequest, Caller, schemas.PriceResponse>(),
  search: endpoint<Env, schemas.SearchRequest, Caller, Hall[] | PageOf<Hall>>(),
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => ({
  db,
  ...hallQueries(db),
  ...boothQueries(db),
  ...aisleQueries(db),
  ...queries(db),
}))

/** Creates the access checks. */
export const createAccess = perDatabase((db: Database) => {
  const access = hallAccess(db)
  return { booth: access, aisle: access, ...access }
})

/** What hooks and routes work with. In the hooks of a write, it belongs to the transaction of the write. */
export interface Env {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
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

/** A router for the service's own routes: `/hall/...`. */
export type Router = Hono<ApiEnv & { Variables: { caller: Caller } }>
