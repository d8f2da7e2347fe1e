import type { Hono } from 'hono'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateHome,
  CreatePhoto,
  Home,
  HomeRequest,
  Photo,
  PhotoRequest,
  UpdateHome,
  UpdatePhoto,
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

/** The hooks on Home. */
type HomeHooks = {
  readonly beforeCreate: BodyHook<HomeRequest, CreateHome>[]
  readonly afterCreate: AfterHook<Home>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Home>[]
  readonly beforeUpdate: BodyHook<HomeRequest, UpdateHome>[]
  readonly afterUpdate: AfterHook<Home>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Home[]>[]
}

/** The hooks on Photo. */
type PhotoHooks = {
  readonly beforeCreate: BodyHook<PhotoRequest, CreatePhoto>[]
  readonly afterCreate: AfterHook<Photo>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Photo>[]
  readonly beforeUpdate: BodyHook<PhotoRequest, UpdatePhoto>[]
  readonly afterUpdate: AfterHook<Photo>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly home: HomeHooks
  readonly photo: PhotoHooks
}

/** Registers hooks: those of Home itself, and those of each struct. */
export type Hooks = Registrar<HomeHooks> & {
  readonly photo: Registrar<PhotoHooks>
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

/** Takes further routes under the service's own path: `/home/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    home: {
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
    photo: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
  }
}
