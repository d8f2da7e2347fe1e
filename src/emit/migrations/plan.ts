import type { MigrationFolder } from '../../migration/folder.ts'
import { type MigrationFile, migrationNumber, migrationStates } from '../../migration/migration-file.ts'
import { serviceOfDatabase } from '../../naming.ts'
import type { Database } from '../database/databases.ts'
import type { Change } from './change.ts'
import { compareSchemas } from './compare.ts'
import { type LostJobs, lostJobs } from './jobs.ts'
import { initialMigration } from './initial.ts'
import { schemaHash } from '../database/hash.ts'
import { migrationFiles } from './files.ts'
import type { BackfillOf } from './nullability.ts'
import { formatSchema, recordedSchema, recordOf } from './recorded-schema.ts'

/** The migrations of a database after a generation. */
export interface MigrationPlan {
  /** The files that follow those that are there. */
  readonly added: readonly MigrationFile[]
  readonly schema: string
  /** None for the first migration. */
  readonly changes: readonly Change[]
  readonly lostJobs: readonly LostJobs[]
}

const FIRST_FILE = '0001_initial.sql'

/**
 * Plans the migrations that lead from the recorded schema to that of the definition. Returns a sentence if the files
 * are not a chain that Portico can go on from.
 */
export function planMigrations(
  database: Database,
  folder: MigrationFolder,
  backfillOf?: BackfillOf,
): MigrationPlan | string {
  const { service, directory, tables, jobs } = database
  const hash = schemaHash(tables)
  if (folder.files.length === 0 && folder.schema === undefined)
    return {
      added: [{ name: FIRST_FILE, content: initialMigration({ service, tables }, hash) }],
      schema: formatSchema(recordOf(database, hash)),
      changes: [],
      lostJobs: [],
    }
  const recorded = recordedSchema(folder)
  if (typeof recorded === 'string') return recorded
  const changes = compareSchemas(recorded.tables, tables, backfillOf)
  const lost = lostJobs(service, recorded.jobs ?? [], jobs)
  if (changes.length === 0) {
    const record = recordOf(database, recorded.state)
    const isSame = !recorded.removed && JSON.stringify(recorded.jobs) === JSON.stringify(record.jobs)
    const schema = isSame ? (folder.schema ?? '') : formatSchema(record)
    return { added: [], schema, changes, lostJobs: lost }
  }
  const number = Math.max(...folder.files.map(({ name }) => migrationNumber(name))) + 1
  const kebab = serviceOfDatabase(directory)
  const added = migrationFiles(changes, { number, state: recorded.state, service: kebab, hash })
  const state = migrationStates(added.at(-1)?.content ?? '')?.to ?? hash
  return { added, schema: formatSchema(recordOf(database, state)), changes, lostJobs: lost }
}
