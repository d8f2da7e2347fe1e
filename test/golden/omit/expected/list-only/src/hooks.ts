import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type { ListOnly } from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Caller } from './identity.ts'
import type { Page } from './lists.ts'
import type { Log } from './log.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: Caller]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: Caller]>

/** The hooks on ListOnly. */
type ListOnlyHooks = {
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<ListOnly[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly listOnly: ListOnlyHooks
}

/** Registers hooks: those of ListOnly itself. */
export type Hooks = Registrar<ListOnlyHooks>

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

/** Takes further routes under the service's own path: `/list-only/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    listOnly: {
      beforeList: [],
      afterList: [],
    },
  }
}
