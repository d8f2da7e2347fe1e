import { schemaHash } from '../database/hash.ts'
import type { Database } from '../database/databases.ts'
import { schemaScript } from '../database/sql.ts'

/** The migration that creates the schema in an empty database. */
export function initialMigration({ service, tables }: Pick<Database, 'service' | 'tables'>): string {
  const header = [
    `-- Creates the tables of ${service}. It locks and loses nothing, because they are new.`,
    `-- schema: none -> ${schemaHash(tables)}`,
  ]
  return `${header.join('\n')}\n\n${schemaScript(tables)}`
}
