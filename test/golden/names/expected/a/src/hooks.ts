import type { Hono } from 'hono'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type { A, ARequest, CreateA, UpdateA } from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Log } from './log.ts'
import type { Lookup } from './lookups.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = Hook<[env: Env, request: Body, input: Input, caller: undefined]>

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: undefined]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: undefined]>

/** The hooks on A. */
type AHooks = {
  readonly beforeCreate: BodyHook<ARequest, CreateA>[]
  readonly afterCreate: AfterHook<A>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<A>[]
  readonly beforeUpdate: BodyHook<ARequest, UpdateA>[]
  readonly afterUpdate: AfterHook<A>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly a: AHooks
}

/** Registers hooks: those of A itself. */
export type Hooks = Registrar<AHooks>

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
    caller: undefined
    /** Answers with the status and `{"error": message}`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: `/a/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    a: {
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
