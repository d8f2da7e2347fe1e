import type { Hono } from 'hono'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type { CreateEntry, Entry, EntryRequest, UpdateEntry } from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Caller } from './identity.ts'
import type { Log } from './log.ts'
import type { Lookup } from './lookups.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = Hook<[env: Env, request: Body, input: Input, caller: Caller]>

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: Caller]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: Caller]>

/** The hooks on Entry. */
type EntryHooks = {
  readonly beforeCreate: BodyHook<EntryRequest, CreateEntry>[]
  readonly afterCreate: AfterHook<Entry>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Entry>[]
  readonly beforeUpdate: BodyHook<EntryRequest, UpdateEntry>[]
  readonly afterUpdate: AfterHook<Entry>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly entry: EntryHooks
}

/** Registers hooks: those of Entry itself. */
export type Hooks = Registrar<EntryHooks>

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

/** Takes further routes under the service's own path: `/entry/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    entry: {
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
