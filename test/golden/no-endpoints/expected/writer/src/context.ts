import type { HonoRequest } from 'hono'
import type { Access } from './access.ts'
import type { Env, HookLists } from './hooks.ts'
import type { Caller } from './identity.ts'
import type { Statements } from './statements.ts'

/** What the endpoints work with. */
export interface ServiceContext {
  readonly env: Env
  readonly hooks: HookLists
  readonly statements: Statements
  readonly access: Access
  /** Who sent a request. Throws 401 where its token is not valid. */
  readonly authenticate: (request: HonoRequest) => Promise<Caller>
}
