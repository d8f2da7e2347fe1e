import type { Hono } from 'hono'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateSeat,
  CreateTrain,
  Seat,
  SeatRequest,
  Train,
  TrainRequest,
  UpdateSeat,
  UpdateTrain,
} from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Caller } from './identity.ts'
import type { Page } from './lists.ts'
import type { Log } from './log.ts'
import type { EntryLookup, Lookup } from './lookups.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = Hook<[env: Env, request: Body, input: Input, caller: Caller]>

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: Caller]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: Caller]>

/** The hooks on Train. */
type TrainHooks = {
  readonly beforeCreate: BodyHook<TrainRequest, CreateTrain>[]
  readonly afterCreate: AfterHook<Train>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Train>[]
  readonly beforeUpdate: BodyHook<TrainRequest, UpdateTrain>[]
  readonly afterUpdate: AfterHook<Train>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Train[]>[]
}

/** The hooks on Seat. */
type SeatHooks = {
  readonly beforeCreate: BodyHook<SeatRequest, CreateSeat>[]
  readonly afterCreate: AfterHook<Seat>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Seat>[]
  readonly beforeUpdate: BodyHook<SeatRequest, UpdateSeat>[]
  readonly afterUpdate: AfterHook<Seat>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Seat[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly train: TrainHooks
  readonly seat: SeatHooks
}

/** Registers hooks: those of Train itself, and those of each struct. */
export type Hooks = Registrar<TrainHooks> & {
  readonly seat: Registrar<SeatHooks>
}

/** What hooks and the user's own routes work with. */
export interface Env {
  readonly config: Config
  readonly log: Log
  readonly datastore: Datastore
  readonly comm: Comm
  readonly hooks: Hooks
}

/** What Hono's context holds in routes. */
export interface ApiEnv {
  Bindings: Bindings
  Variables: {
    caller: Caller
    /** Answers with the status and `{"error": message}`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: `/train/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    train: {
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
    seat: {
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
  }
}
