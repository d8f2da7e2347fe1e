import type { MigrationFolder } from '../../migration/folder.ts'
import { type MigrationFile, migrationNumber, migrationStates } from '../../migration/migration-file.ts'
import { serviceOfDatabase } from '../../naming.ts'
import type { Database } from '../database/databases.ts'
import type { Change } from './change.ts'
import { compareSchemas } from './compare.ts'
import { initialMigration } from './initial.ts'
import { schemaHash } from '../database/hash.ts'
import { migrationFiles } from './files.ts'
import type { BackfillOf } from './nullability.ts'
import { formatSchema, recordedSchema } from './recorded-schema.ts'

/** The migrations of a database after a generation. */
export interface MigrationPlan {
  /** The files that follow those that are there. */
  readonly added: readonly MigrationFile[]
  readonly schema: string
  /** None for the first migration. */
  readonly changes: readonly Change[]
}

const FIRST_FILE = '0001_initial.sql'

/**
 * Plans the migrations that lead from the recorded schema to that of the definition. Returns a sentence if the files
 * are not a chain that Portico can go on from.
 */
export function planMigrations(
  { service, directory, tables }: Database,
  folder: MigrationFolder,
  backfillOf?: BackfillOf,
): MigrationPlan | string {
  const hash = schemaHash(tables)
  if (folder.files.length === 0 && folder.schema === undefined)
    return {
      added: [{ name: FIRST_FILE, content: initialMigration({ service, tables }, hash) }],
      schema: formatSchema({ service, state: hash, tables }),
      changes: [],
    }
  const recorded = recordedSchema(folder)
  if (typeof recorded === 'string') return recorded
  const changes = compareSchemas(recorded.tables, tables, backfillOf)
  if (changes.length === 0) {
    const schema = recorded.removed ? formatSchema({ service, state: recorded.state, tables }) : folder.schema
    return { added: [], schema: schema ?? '', changes }
  }
  const number = Math.max(...folder.files.map(({ name }) => migrationNumber(name))) + 1
  const kebab = serviceOfDatabase(directory)
  const added = migrationFiles(changes, { number, state: recorded.state, service: kebab, hash })
  const state = migrationStates(added.at(-1)?.content ?? '')?.to ?? hash
  return { added, schema: formatSchema({ service, state, tables }), changes }
}
