import { schemaHash } from '../database/hash.ts'
import type { Database } from '../database/databases.ts'
import { schemaScript } from '../database/sql.ts'

/** The migration that creates the schema in an empty database. */
export function initialMigration({ service, tables }: Pick<Database, 'service' | 'tables'>): string {
  const header = [
    `-- Creates the tables of ${service}. They are new, so this locks and loses nothing.`,
    `-- schema: none -> ${schemaHash(tables)}`,
  ]
  return `${header.join('\n')}\n\n${schemaScript(tables)}`
}
