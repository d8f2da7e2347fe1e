import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  Board,
  BoardRequest,
  CreateBoard,
  CreatePin,
  Pin,
  PinRequest,
  UpdateBoard,
  UpdatePin,
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

/** The hooks on Board. */
type BoardHooks = {
  readonly beforeCreate: BodyHook<BoardRequest, CreateBoard>[]
  readonly afterCreate: AfterHook<Board>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Board>[]
  readonly beforeUpdate: BodyHook<BoardRequest, UpdateBoard>[]
  readonly afterUpdate: AfterHook<Board>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Board[]>[]
}

/** The hooks on Pin. */
type PinHooks = {
  readonly beforeCreate: BodyHook<PinRequest, CreatePin>[]
  readonly afterCreate: AfterHook<Pin>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Pin>[]
  readonly beforeUpdate: BodyHook<PinRequest, UpdatePin>[]
  readonly afterUpdate: AfterHook<Pin>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Pin[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly board: BoardHooks
  readonly pin: PinHooks
}

/** Registers hooks: those of Board itself, and those of each struct. */
export type Hooks = Registrar<BoardHooks> & {
  readonly pin: Registrar<PinHooks>
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
    caller: Caller
    /** Answers with the status and `{"error": message}`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: `/board/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    board: {
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
    pin: {
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
