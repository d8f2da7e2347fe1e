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
  CreateItem,
  CreateSeal,
  Item,
  ItemRequest,
  Seal,
  SealRequest,
  UpdateItem,
  UpdateItemRequest,
  UpdateSeal,
  UpdateSealRequest,
} from './entities.ts'
import { itemAccess, itemQueries } from './queries/item.ts'
import { sealQueries } from './queries/seal.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: ItemRequest, input: CreateItem, caller: Caller]>(),
  afterCreate: hook<[env: Env, item: Item, caller: Caller]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterRead: hook<[env: Env, item: Item, caller: Caller]>(),
  beforeUpdate: hook<[env: Env, request: UpdateItemRequest, input: UpdateItem, caller: Caller]>(),
  afterUpdate: hook<[env: Env, item: Item, caller: Caller]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  seal: {
    beforeCreate: hook<[env: Env, request: SealRequest, input: CreateSeal, caller: Caller]>(),
    afterCreate: hook<[env: Env, seal: Seal, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, seal: Seal, caller: Caller]>(),
    beforeUpdate: hook<[env: Env, request: UpdateSealRequest, input: UpdateSeal, caller: Caller]>(),
    afterUpdate: hook<[env: Env, seal: Seal, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
    beforeList: hook<[env: Env, input: Page & { parentId: string }, caller: Caller]>(),
    afterList: hook<[env: Env, entities: Seal[], caller: Caller]>(),
  },
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => {
  const itemQueriesAs = itemQueries(db)
  const sealQueriesAs = sealQueries(db)
  const queriesAs = (limits?: Limits) => ({
    ...itemQueriesAs(limits),
    ...sealQueriesAs(limits),
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
  const access = itemAccess(db)
  return { seal: access, ...access }
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

/** A router for the service's own routes: `/item/...`. */
export type Router = Hono<ApiEnv & { Variables: { caller: Caller } }>
