import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type { CreateWriter, UpdateWriter, Writer, WriterRequest } from './entities.ts'
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

/** The hooks on Writer. */
type WriterHooks = {
  readonly beforeCreate: BodyHook<WriterRequest, CreateWriter>[]
  readonly afterCreate: AfterHook<Writer>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Writer>[]
  readonly beforeUpdate: BodyHook<WriterRequest, UpdateWriter>[]
  readonly afterUpdate: AfterHook<Writer>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeIdentify: LookupHook<Lookup>[]
  readonly afterIdentify: AfterHook<Writer>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly writer: WriterHooks
}

/** Registers hooks: those of Writer itself. */
export type Hooks = Registrar<WriterHooks>

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

/** Takes further routes under the service's own path: `/writer/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    writer: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
      beforeIdentify: [],
      afterIdentify: [],
    },
  }
}
