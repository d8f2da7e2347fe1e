import type { Hono } from 'hono'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { hook } from '#lib/hooks.ts'
import type { Log } from '#lib/log.ts'
import type { Page } from '#lib/queries.ts'
import type { OnStop } from '#lib/server.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type {
  Bed,
  BedRequest,
  CreateBed,
  CreatePlant,
  CreateWatering,
  Plant,
  PlantRequest,
  UpdateBed,
  UpdatePlant,
  Watering,
  WateringRequest,
} from './entities.ts'
import { bedAccess, bedQueries } from './queries/bed.ts'
import { plantQueries } from './queries/plant.ts'
import { wateringQueries } from './queries/watering.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: BedRequest, input: CreateBed, caller: undefined]>(),
  afterCreate: hook<[env: Env, bed: Bed, caller: undefined]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: undefined]>(),
  afterRead: hook<[env: Env, bed: Bed, caller: undefined]>(),
  beforeUpdate: hook<[env: Env, request: BedRequest, input: UpdateBed, caller: undefined]>(),
  afterUpdate: hook<[env: Env, bed: Bed, caller: undefined]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: undefined]>(),
  afterDelete: hook<[env: Env, id: string, caller: undefined]>(),
  beforeList: hook<[env: Env, input: Page, caller: undefined]>(),
  afterList: hook<[env: Env, entities: Bed[], caller: undefined]>(),
  plant: {
    beforeCreate: hook<[env: Env, request: PlantRequest, input: CreatePlant, caller: undefined]>(),
    afterCreate: hook<[env: Env, plant: Plant, caller: undefined]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: undefined]>(),
    afterRead: hook<[env: Env, plant: Plant, caller: undefined]>(),
    beforeUpdate: hook<[env: Env, request: PlantRequest, input: UpdatePlant, caller: undefined]>(),
    afterUpdate: hook<[env: Env, plant: Plant, caller: undefined]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: undefined]>(),
    afterDelete: hook<[env: Env, id: string, caller: undefined]>(),
    beforeList: hook<[env: Env, input: Page & { parentId: string }, caller: undefined]>(),
    afterList: hook<[env: Env, entities: Plant[], caller: undefined]>(),
  },
  watering: {
    beforeCreate: hook<[env: Env, request: WateringRequest, input: CreateWatering, caller: undefined]>(),
    afterCreate: hook<[env: Env, watering: Watering, caller: undefined]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: undefined]>(),
    afterRead: hook<[env: Env, watering: Watering, caller: undefined]>(),
  },
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => ({
  db,
  ...bedQueries(db),
  ...plantQueries(db),
  ...wateringQueries(db),
  ...queries(db),
}))

/** Creates the access checks. */
export const createAccess = perDatabase((db: Database) => {
  const access = bedAccess(db)
  return { plant: access, watering: access, ...access }
})

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
  /** Calls a function when the service stops. */
  readonly onStop: OnStop
}

/** A router for the service's own routes: `/bed/...`. */
export type Router = Hono<ApiEnv>
