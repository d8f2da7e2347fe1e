import type { Hono } from 'hono'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  Check,
  CheckRequest,
  CreateCheck,
  CreateGroup,
  CreateOrder,
  Group,
  GroupRequest,
  Order,
  OrderRequest,
  UpdateCheck,
  UpdateGroup,
  UpdateOrder,
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

/** The hooks on Order. */
type OrderHooks = {
  readonly beforeCreate: BodyHook<OrderRequest, CreateOrder>[]
  readonly afterCreate: AfterHook<Order>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Order>[]
  readonly beforeUpdate: BodyHook<OrderRequest, UpdateOrder>[]
  readonly afterUpdate: AfterHook<Order>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Order[]>[]
}

/** The hooks on Group. */
type GroupHooks = {
  readonly beforeCreate: BodyHook<GroupRequest, CreateGroup>[]
  readonly afterCreate: AfterHook<Group>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Group>[]
  readonly beforeUpdate: BodyHook<GroupRequest, UpdateGroup>[]
  readonly afterUpdate: AfterHook<Group>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Group[]>[]
}

/** The hooks on Check. */
type CheckHooks = {
  readonly beforeCreate: BodyHook<CheckRequest, CreateCheck>[]
  readonly afterCreate: AfterHook<Check>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Check>[]
  readonly beforeUpdate: BodyHook<CheckRequest, UpdateCheck>[]
  readonly afterUpdate: AfterHook<Check>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Check[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly order: OrderHooks
  readonly group: GroupHooks
  readonly check: CheckHooks
}

/** Registers hooks: those of Order itself, and those of each struct. */
export type Hooks = Registrar<OrderHooks> & {
  readonly group: Registrar<GroupHooks>
  readonly check: Registrar<CheckHooks>
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

/** Takes further routes under the service's own path: `/order/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    order: {
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
    group: {
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
    check: {
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
