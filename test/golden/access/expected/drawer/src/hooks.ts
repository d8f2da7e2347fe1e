import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateDrawer,
  CreatePaper,
  Drawer,
  DrawerRequest,
  Paper,
  PaperRequest,
  UpdateDrawer,
  UpdatePaper,
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

/** The hooks on Drawer. */
type DrawerHooks = {
  readonly beforeCreate: BodyHook<DrawerRequest, CreateDrawer>[]
  readonly afterCreate: AfterHook<Drawer>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Drawer>[]
  readonly beforeUpdate: BodyHook<DrawerRequest, UpdateDrawer>[]
  readonly afterUpdate: AfterHook<Drawer>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Drawer[]>[]
}

/** The hooks on Paper. */
type PaperHooks = {
  readonly beforeCreate: BodyHook<PaperRequest, CreatePaper>[]
  readonly afterCreate: AfterHook<Paper>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Paper>[]
  readonly beforeUpdate: BodyHook<PaperRequest, UpdatePaper>[]
  readonly afterUpdate: AfterHook<Paper>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Paper[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly drawer: DrawerHooks
  readonly paper: PaperHooks
}

/** Registers hooks: those of Drawer itself, and those of each struct. */
export type Hooks = Registrar<DrawerHooks> & {
  readonly paper: Registrar<PaperHooks>
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

/** Takes further routes under the service's own path: `/drawer/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    drawer: {
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
    paper: {
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
