import type { Hono } from 'hono'
import type { Registry } from 'prom-client'
import type { ApiEnv, Conflicts } from '#lib/api.ts'
import { type AfterCommit, perDatabase } from '#lib/database.ts'
import { endpoint, type PageOf } from '#lib/endpoints.ts'
import { hook } from '#lib/hooks.ts'
import { asCaller, type Limits, passes } from '#lib/limits.ts'
import type { Log } from '#lib/log.ts'
import type { Page } from '#lib/queries.ts'
import { roleFilter } from '#lib/roles.ts'
import type { OnStop } from '#lib/server.ts'
import type { Caller } from '#lib/tokens.ts'
import type { Comm } from './comm.ts'
import type { Config } from './config.ts'
import { queries } from './datastore.ts'
import type * as schemas from './endpoints.ts'
import type {
  Copy,
  CopyRequest,
  CreateCopy,
  CreateNotice,
  Notice,
  NoticeRequest,
  UpdateCopy,
  UpdateNotice,
} from './entities.ts'
import { copyQueries } from './queries/copy.ts'
import { noticeAccess, noticeQueries } from './queries/notice.ts'
import type { Database } from './schema.ts'
import type { Settings } from './settings.ts'

export { HookError } from '#lib/errors.ts'

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => ({
  beforeCreate: hook<[env: Env, request: NoticeRequest, input: CreateNotice, caller: Caller]>(),
  afterCreate: hook<[env: Env, notice: Notice, caller: Caller]>(),
  beforeRead: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterRead: hook<[env: Env, notice: Notice, caller: Caller]>(),
  beforeUpdate: hook<[env: Env, request: NoticeRequest, input: UpdateNotice, caller: Caller]>(),
  afterUpdate: hook<[env: Env, notice: Notice, caller: Caller]>(),
  beforeDelete: hook<[env: Env, input: { id: string }, caller: Caller]>(),
  afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
  beforeList: hook<[env: Env, input: Page, caller: Caller]>(),
  afterList: hook<[env: Env, entities: Notice[], caller: Caller]>(),
  copy: {
    beforeCreate: hook<[env: Env, request: CopyRequest, input: CreateCopy, caller: Caller]>(),
    afterCreate: hook<[env: Env, copy: Copy, caller: Caller]>(),
    beforeRead: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterRead: hook<[env: Env, copy: Copy, caller: Caller]>(),
    beforeUpdate: hook<[env: Env, request: CopyRequest, input: UpdateCopy, caller: Caller]>(),
    afterUpdate: hook<[env: Env, copy: Copy, caller: Caller]>(),
    beforeDelete: hook<[env: Env, input: { id: string; parentId: string }, caller: Caller]>(),
    afterDelete: hook<[env: Env, id: string, caller: Caller]>(),
    beforeList: hook<[env: Env, input: Page & { parentId: string }, caller: Caller]>(),
    afterList: hook<[env: Env, entities: Copy[], caller: Caller]>(),
  },
})

/** Creates the endpoints, whose handlers setup.ts registers. */
export const createEndpoints = () => ({
  printed: endpoint<Env, schemas.PrintedRequest, Caller | undefined, schemas.PrintedResponse>(),
  correct: endpoint<Env, schemas.CorrectRequest, Caller, Copy[] | PageOf<Copy>>(),
})

/** Creates the data access. */
export const createDatastore = perDatabase((db: Database) => {
  const noticeQueriesAs = noticeQueries(db)
  const copyQueriesAs = copyQueries(db)
  const queriesAs = (limits?: Limits) => ({
    ...noticeQueriesAs(limits),
    ...copyQueriesAs(limits),
  })
  return {
    db,
    ...queriesAs(),
    ...queries(db),
    /** The queries on behalf of a caller, who sees and changes what the access rules allow: without a caller, nothing. */
    as: asCaller((caller) =>
      queriesAs({
        reader: roleFilter(caller, 'guide', 'organizer'),
        writer: roleFilter(caller, 'organizer'),
        creator: caller,
        mayRead: (parent) => passes(createAccess(db).requireReadable(parent, caller)),
      }),
    ),
  }
})

/** Creates the access checks. */
export const createAccess = perDatabase((db: Database) => {
  const access = noticeAccess(db)
  return { copy: access, ...access }
})

/** What hooks and routes work with. In the hooks of a write, it belongs to the transaction of the write. */
export interface Env {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly comm: Comm
  readonly hooks: ReturnType<typeof createHooks>
  readonly endpoints: ReturnType<typeof createEndpoints>
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
  /** The registry of what `/metrics` reports. */
  readonly metrics: Registry
  /** Calls a function when the service stops. */
  readonly onStop: OnStop
}

/** A router for the service's own routes: `/notice/...`. */
export type Router = Hono<ApiEnv & { Variables: { caller: Caller | undefined } }>
