import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
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
import type { Hook, Registrar } from './hook-lists.ts'
import type { Page } from './lists.ts'
import type { Log } from './log.ts'
import type { EntryLookup, Lookup } from './lookups.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = Hook<[env: Env, request: Body, input: Input, caller: undefined]>

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: undefined]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: undefined]>

/** The hooks on Bed. */
type BedHooks = {
  readonly beforeCreate: BodyHook<BedRequest, CreateBed>[]
  readonly afterCreate: AfterHook<Bed>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Bed>[]
  readonly beforeUpdate: BodyHook<BedRequest, UpdateBed>[]
  readonly afterUpdate: AfterHook<Bed>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Bed[]>[]
}

/** The hooks on Plant. */
type PlantHooks = {
  readonly beforeCreate: BodyHook<PlantRequest, CreatePlant>[]
  readonly afterCreate: AfterHook<Plant>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Plant>[]
  readonly beforeUpdate: BodyHook<PlantRequest, UpdatePlant>[]
  readonly afterUpdate: AfterHook<Plant>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Plant[]>[]
}

/** The hooks on Watering. */
type WateringHooks = {
  readonly beforeCreate: BodyHook<WateringRequest, CreateWatering>[]
  readonly afterCreate: AfterHook<Watering>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Watering>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly bed: BedHooks
  readonly plant: PlantHooks
  readonly watering: WateringHooks
}

/** Registers hooks: those of Bed itself, and those of each struct. */
export type Hooks = Registrar<BedHooks> & {
  readonly plant: Registrar<PlantHooks>
  readonly watering: Registrar<WateringHooks>
}

/** What hooks and the user's own routes work with. */
export interface Env {
  readonly config: Config
  readonly log: Log
  readonly datastore: Datastore
  readonly hooks: Hooks
}

/** What Hono's context holds in routes. */
export interface ApiEnv {
  Bindings: Bindings
  Variables: {
    caller: undefined
    /** Answers with the status and `{"error": message}`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: `/bed/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    bed: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
      beforeList: [],
      afterList: [],
    },
    plant: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
      beforeList: [],
      afterList: [],
    },
    watering: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
    },
  }
}
