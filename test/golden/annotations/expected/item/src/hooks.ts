import type { Hono } from 'hono'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateItem,
  CreateSeal,
  Item,
  ItemRequest,
  Seal,
  SealRequest,
  UpdateItem,
  UpdateSeal,
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

/** The hooks on Item. */
type ItemHooks = {
  readonly beforeCreate: BodyHook<ItemRequest, CreateItem>[]
  readonly afterCreate: AfterHook<Item>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Item>[]
  readonly beforeUpdate: BodyHook<ItemRequest, UpdateItem>[]
  readonly afterUpdate: AfterHook<Item>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** The hooks on Seal. */
type SealHooks = {
  readonly beforeCreate: BodyHook<SealRequest, CreateSeal>[]
  readonly afterCreate: AfterHook<Seal>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Seal>[]
  readonly beforeUpdate: BodyHook<SealRequest, UpdateSeal>[]
  readonly afterUpdate: AfterHook<Seal>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Seal[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly item: ItemHooks
  readonly seal: SealHooks
}

/** Registers hooks: those of Item itself, and those of each struct. */
export type Hooks = Registrar<ItemHooks> & {
  readonly seal: Registrar<SealHooks>
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

/** Takes further routes under the service's own path: `/item/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    item: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
    seal: {
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
