import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateProduct,
  CreateReview,
  Product,
  ProductRequest,
  Review,
  ReviewRequest,
  UpdateProduct,
  UpdateReview,
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

/** The hooks on Product. */
type ProductHooks = {
  readonly beforeCreate: BodyHook<ProductRequest, CreateProduct>[]
  readonly afterCreate: AfterHook<Product>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Product>[]
  readonly beforeUpdate: BodyHook<ProductRequest, UpdateProduct>[]
  readonly afterUpdate: AfterHook<Product>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page>[]
  readonly afterList: AfterHook<Product[]>[]
}

/** The hooks on Review. */
type ReviewHooks = {
  readonly beforeCreate: BodyHook<ReviewRequest, CreateReview>[]
  readonly afterCreate: AfterHook<Review>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Review>[]
  readonly beforeUpdate: BodyHook<ReviewRequest, UpdateReview>[]
  readonly afterUpdate: AfterHook<Review>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Review[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly product: ProductHooks
  readonly review: ReviewHooks
}

/** Registers hooks: those of Product itself, and those of each struct. */
export type Hooks = Registrar<ProductHooks> & {
  readonly review: Registrar<ReviewHooks>
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

/** Takes further routes under the service's own path: `/product/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    product: {
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
    review: {
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
