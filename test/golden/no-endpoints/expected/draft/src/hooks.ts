import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type { Caller } from './identity.ts'
import type { Log } from './log.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** All hooks, in the order in which they were registered. */
export type HookLists = Record<string, never>

/** Registers hooks: those of Draft itself. */
export type Hooks = Record<string, never>

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

/** Takes further routes under the service's own path: `/draft/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {}
}
