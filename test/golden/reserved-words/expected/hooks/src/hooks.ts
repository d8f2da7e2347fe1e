import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateHooks,
  CreateLog,
  Hooks_,
  HooksRequest,
  Log_,
  LogRequest,
  UpdateHooks,
  UpdateLog,
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

/** The hooks on Hooks. */
type HooksHooks = {
  readonly beforeCreate: BodyHook<HooksRequest, CreateHooks>[]
  readonly afterCreate: AfterHook<Hooks_>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Hooks_>[]
  readonly beforeUpdate: BodyHook<HooksRequest, UpdateHooks>[]
  readonly afterUpdate: AfterHook<Hooks_>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** The hooks on Log. */
type LogHooks = {
  readonly beforeCreate: BodyHook<LogRequest, CreateLog>[]
  readonly afterCreate: AfterHook<Log_>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Log_>[]
  readonly beforeUpdate: BodyHook<LogRequest, UpdateLog>[]
  readonly afterUpdate: AfterHook<Log_>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly hooks: HooksHooks
  readonly log: LogHooks
}

/** Registers hooks: those of Hooks itself, and those of each struct. */
export type Hooks = Registrar<HooksHooks> & {
  readonly log: Registrar<LogHooks>
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

/** Takes further routes under the service's own path: `/hooks/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    hooks: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
    log: {
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
