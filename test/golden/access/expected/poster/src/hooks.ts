import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreatePoster,
  CreateStamp,
  Poster,
  PosterRequest,
  Stamp,
  StampRequest,
  UpdatePoster,
  UpdateStamp,
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

/** The hooks on Poster. */
type PosterHooks = {
  readonly beforeCreate: BodyHook<PosterRequest, CreatePoster>[]
  readonly afterCreate: AfterHook<Poster>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Poster>[]
  readonly beforeUpdate: BodyHook<PosterRequest, UpdatePoster>[]
  readonly afterUpdate: AfterHook<Poster>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Poster[]>[]
}

/** The hooks on Stamp. */
type StampHooks = {
  readonly beforeCreate: BodyHook<StampRequest, CreateStamp>[]
  readonly afterCreate: AfterHook<Stamp>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Stamp>[]
  readonly beforeUpdate: BodyHook<StampRequest, UpdateStamp>[]
  readonly afterUpdate: AfterHook<Stamp>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Stamp[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly poster: PosterHooks
  readonly stamp: StampHooks
}

/** Registers hooks: those of Poster itself, and those of each struct. */
export type Hooks = Registrar<PosterHooks> & {
  readonly stamp: Registrar<StampHooks>
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

/** Takes further routes under the service's own path: `/poster/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    poster: {
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
    stamp: {
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
