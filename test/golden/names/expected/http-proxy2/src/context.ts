import type { Access } from './access.ts'
import type { Env, HookLists } from './hooks.ts'
import type { Statements } from './statements.ts'

/** What the endpoints work with. */
export interface ServiceContext {
  readonly env: Env
  readonly hooks: HookLists
  readonly statements: Statements
  readonly access: Access
}
