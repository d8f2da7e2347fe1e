import type { HonoRequest } from 'hono'
import type { Env, HookLists } from './hooks.ts'
import type { Caller } from './identity.ts'
import type { Statements } from './statements.ts'

/** What the endpoints work with. */
export interface ServiceContext {
  readonly env: Env
  readonly hooks: HookLists
  readonly statements: Statements
  /** Who sent a request. Throws 401 where its token is not valid. */
  readonly authenticate: (request: HonoRequest) => Promise<Caller>
}
