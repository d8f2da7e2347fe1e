import { schemaHash } from '../database/hash.ts'
import type { Database } from '../database/databases.ts'
import { comment } from '../database/identifiers.ts'
import { schemaScript } from '../database/sql.ts'

/** The migration that creates the schema in an empty database. */
export function initialMigration({ service, tables }: Pick<Database, 'service' | 'tables'>): string {
  const header = [
    comment(`Creates the tables of ${service}. They are new, so this locks and loses nothing.`),
    comment(`schema: none -> ${schemaHash(tables)}`),
  ]
  return `${header.join('\n')}\n\n${schemaScript(tables)}`
}
