import type { CodeFile } from '../codegen/code-file.ts'
import { call, chain, type Code, code, hanging } from '../codegen/layout.ts'
import { preparedStatementName } from './names.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** The package of the query builder. */
export const DRIZZLE = 'drizzle-orm'
/** The template that queries share. */
export const QUERIES = '#lib/queries.ts'

/** What the functions that emit a file of queries share. */
export interface QueriesScope extends ServiceScope, EntityScope {
  readonly file: CodeFile
  readonly value: (module: string, name: string) => string
  /** The table of the service's own entity. */
  readonly parent: string
  /** Whether statements can be limited to the owner's entities, for reading and for writing. */
  readonly canLimit: { readonly read: boolean; readonly write: boolean }
}

/** Whether callers may read or change only some entities, so that queries can be limited to those of a caller. */
export const isLimitable = ({ readers, writers }: ServiceScope) =>
  readers !== undefined || writers !== undefined

/** `const name = once(() => db...)` */
export function preparedStatement(
  scope: QueriesScope,
  name: string,
  verb: string,
  ...calls: readonly Code[]
): Code {
  const query = chain('db', ...calls, `.prepare('${preparedStatementName(verb, scope.entity)}')`)
  return code`const ${name} = ${call(scope.value(QUERIES, 'once'), hanging('() =>', query))}`
}
