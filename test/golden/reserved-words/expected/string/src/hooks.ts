import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateMap,
  CreateString,
  Map_,
  MapRequest,
  String_,
  StringRequest,
  UpdateMap,
  UpdateString,
} from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Caller } from './identity.ts'
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

/** The hooks on String. */
type StringHooks = {
  readonly beforeCreate: BodyHook<StringRequest, CreateString>[]
  readonly afterCreate: AfterHook<String_>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<String_>[]
  readonly beforeUpdate: BodyHook<StringRequest, UpdateString>[]
  readonly afterUpdate: AfterHook<String_>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** The hooks on Map. */
type MapHooks = {
  readonly beforeCreate: BodyHook<MapRequest, CreateMap>[]
  readonly afterCreate: AfterHook<Map_>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Map_>[]
  readonly beforeUpdate: BodyHook<MapRequest, UpdateMap>[]
  readonly afterUpdate: AfterHook<Map_>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly string: StringHooks
  readonly map: MapHooks
}

/** Registers hooks: those of String itself, and those of each struct. */
export type Hooks = Registrar<StringHooks> & {
  readonly map: Registrar<MapHooks>
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

/** Takes further routes under the service's own path: `/string/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    string: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
    map: {
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
