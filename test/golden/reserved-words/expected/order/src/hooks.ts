import type { Hono } from 'hono'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { hook } from '#lib/hooks.ts'
import { asCaller, type Limits, passes } from '#lib/limits.ts'
import type { Log } from '#lib/log.ts'
import type { Page } from '#lib/queries.ts'
import type { OnStop } from '#lib/server.ts'
import type { Caller } from '#lib/tokens.ts'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type {
  Check,
  CheckRequest,
  CreateCheck,
  CreateGroup,
  CreateOrder,
  CreateOrderRelations,
  CreateReply,
  Group,
  GroupRequest,
  Order,
  OrderRelations,
  OrderRelationsRequest,
  OrderRequest,
  Reply,
  ReplyRequest,
  UpdateCheck,
  UpdateGroup,
  UpdateOrder,
  UpdateOrderRelations,
  UpdateOrderRequest,
  UpdateReply,
  UpdateReplyRequest,
} from './entities.ts'
import { checkQueries } from './queries/check.ts'
import { groupQueries } from './queries/group.ts'
import { orderRelationsQueries } from './queries/order-relations.ts'
import { orderAccess, orderQueries } from './queries/order.ts'
import { replyQueries } from './queries/reply.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: OrderRequest, input: CreateOrder, caller: Caller]>(),
  afterCreate: hook<[env: Env, order: Order, caller: Caller]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterRead: hook<[env: Env, order: Order, caller: Caller]>(),
  beforeUpdate: hook<[env: Env, request: UpdateOrderRequest, input: UpdateOrder, caller: Caller]>(),
  afterUpdate: hook<[env: Env, order: Order, caller: Caller]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  beforeList: hook<[env: Env, input: Page, caller: Caller]>(),
  afterList: hook<[env: Env, entities: Order[], caller: Caller]>(),
  group: {
    beforeCreate: hook<[env: Env, request: GroupRequest, input: CreateGroup, caller: Caller]>(),
    afterCreate: hook<[env: Env, group: Group, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, group: Group, caller: Caller]>(),
    beforeUpdate: hook<[env: Env, request: GroupRequest, input: UpdateGroup, caller: Caller]>(),
    afterUpdate: hook<[env: Env, group: Group, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
    beforeList: hook<[env: Env, input: Page & { parentId: string }, caller: Caller]>(),
    afterList: hook<[env: Env, entities: Group[], caller: Caller]>(),
  },
  reply: {
    beforeCreate: hook<[env: Env, request: ReplyRequest, input: CreateReply, caller: Caller]>(),
    afterCreate: hook<[env: Env, reply: Reply, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; _parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, reply: Reply, caller: Caller]>(),
    beforeUpdate: hook<[env: Env, request: UpdateReplyRequest, input: UpdateReply, caller: Caller]>(),
    afterUpdate: hook<[env: Env, reply: Reply, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; _parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  },
  orderRelations: {
    beforeCreate:
      hook<[env: Env, request: OrderRelationsRequest, input: CreateOrderRelations, caller: Caller]>(),
    afterCreate: hook<[env: Env, orderRelations: OrderRelations, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, orderRelations: OrderRelations, caller: Caller]>(),
    beforeUpdate:
      hook<[env: Env, request: OrderRelationsRequest, input: UpdateOrderRelations, caller: Caller]>(),
    afterUpdate: hook<[env: Env, orderRelations: OrderRelations, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  },
  check: {
    beforeCreate: hook<[env: Env, request: CheckRequest, input: CreateCheck, caller: Caller]>(),
    afterCreate: hook<[env: Env, check_: Check, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, check_: Check, caller: Caller]>(),
    beforeUpdate: hook<[env: Env, request: CheckRequest, input: UpdateCheck, caller: Caller]>(),
    afterUpdate: hook<[env: Env, check_: Check, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
    beforeList: hook<[env: Env, input: Page & { parentId: string }, caller: Caller]>(),
    afterList: hook<[env: Env, entities: Check[], caller: Caller]>(),
  },
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => {
  const orderQueriesAs = orderQueries(db)
  const groupQueriesAs = groupQueries(db)
  const replyQueriesAs = replyQueries(db)
  const orderRelationsQueriesAs = orderRelationsQueries(db)
  const checkQueriesAs = checkQueries(db)
  const queriesAs = (limits?: Limits) => ({
    ...orderQueriesAs(limits),
    ...groupQueriesAs(limits),
    ...replyQueriesAs(limits),
    ...orderRelationsQueriesAs(limits),
    ...checkQueriesAs(limits),
  })
  return {
    db,
    ...queriesAs(),
    ...queries(db),
    /** The queries on behalf of a caller, who sees and changes what the access rules allow: without a caller, nothing. */
    as: asCaller((caller) =>
      queriesAs({
        reader: caller,
        writer: caller,
        creator: caller,
        mayRead: (parent) => passes(createAccess(db).requireReadable(parent, caller)),
      }),
    ),
  }
})

/** Creates the access checks. */
export const createAccess = perDatabase((db: Database) => {
  const access = orderAccess(db)
  return { group: access, reply: access, orderRelations: access, check: access, ...access }
})

/** What hooks and routes work with. In the hooks of a write, it belongs to the transaction of the write. */
export interface Env {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly comm: Comm
  readonly hooks: ReturnType<typeof createHooks>
  /** The message for each constraint of the database that a request can violate. Those of your own can be added. */
  readonly conflicts: Conflicts
  readonly datastore: ReturnType<typeof createDatastore>
  readonly access: ReturnType<typeof createAccess>
  /** Runs the work in a transaction, which an error rolls back. Within a transaction, the work becomes part of it. */
  transaction<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Runs work that does not belong to the transaction of the hook, with the `env` of `setup`. */
  outside<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Calls a function after the transaction is committed, or immediately outside of a transaction. */
  readonly afterCommit: AfterCommit
  /** Calls a function when the service stops. */
  readonly onStop: OnStop
}

/** A router for the service's own routes: `/order/...`. */
export type Router = Hono<ApiEnv & { Variables: { caller: Caller } }>
