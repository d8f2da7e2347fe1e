import type { Database } from '../database/databases.ts'
import { comment } from '../database/identifiers.ts'
import { schemaScript } from '../database/sql.ts'

/** The migration that creates the schema in an empty database. `hash` is the `schemaHash` of the tables. */
export function initialMigration(
  { service, tables }: Pick<Database, 'service' | 'tables'>,
  hash: string,
): string {
  const header = [
    comment(`Creates the tables of ${service}. They are new, so this locks and loses nothing.`),
    comment(`schema: none -> ${hash}`),
  ]
  return `${header.join('\n')}\n\n${schemaScript(tables)}`
}
