import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateHTTPProxy2,
  CreateTLSCert,
  HTTPProxy2,
  HTTPProxy2Request,
  TLSCert,
  TLSCertRequest,
  UpdateHTTPProxy2,
  UpdateTLSCert,
} from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Page } from './lists.ts'
import type { Log } from './log.ts'
import type { EntryLookup, Lookup } from './lookups.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = Hook<[env: Env, request: Body, input: Input, caller: undefined]>

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: undefined]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: undefined]>

/** The hooks on HTTPProxy2. */
type HTTPProxy2Hooks = {
  readonly beforeCreate: BodyHook<HTTPProxy2Request, CreateHTTPProxy2>[]
  readonly afterCreate: AfterHook<HTTPProxy2>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<HTTPProxy2>[]
  readonly beforeUpdate: BodyHook<HTTPProxy2Request, UpdateHTTPProxy2>[]
  readonly afterUpdate: AfterHook<HTTPProxy2>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<HTTPProxy2[]>[]
}

/** The hooks on TLSCert. */
type TLSCertHooks = {
  readonly beforeCreate: BodyHook<TLSCertRequest, CreateTLSCert>[]
  readonly afterCreate: AfterHook<TLSCert>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<TLSCert>[]
  readonly beforeUpdate: BodyHook<TLSCertRequest, UpdateTLSCert>[]
  readonly afterUpdate: AfterHook<TLSCert>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<TLSCert[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly httpProxy2: HTTPProxy2Hooks
  readonly tlsCert: TLSCertHooks
}

/** Registers hooks: those of HTTPProxy2 itself, and those of each struct. */
export type Hooks = Registrar<HTTPProxy2Hooks> & {
  readonly tlsCert: Registrar<TLSCertHooks>
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
    caller: undefined
    /** Answers with the status and `{"error": message}`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: `/http-proxy2/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    httpProxy2: {
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
    tlsCert: {
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
