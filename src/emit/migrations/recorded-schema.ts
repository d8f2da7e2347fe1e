import { conflicts, followChain, type MigrationFolder, SCHEMA_FILE } from '../../migration/folder.ts'
import { schemaOf } from '../../migration/states.ts'
import { schemaHash } from '../database/hash.ts'
import type { Database } from '../database/databases.ts'
import type { Table } from '../database/table.ts'
import { type RecordedJob, recordedJobs } from './jobs.ts'

/** The content of `schema.json`: the schema that the migrations of a database lead to. */
export interface RecordedSchema {
  /** Declared name of the service. */
  readonly service: string
  /** The state after the last migration. */
  readonly state: string
  readonly tables: readonly Table[]
  /** The jobs that may wait in the database; none without jobs. */
  readonly jobs?: readonly RecordedJob[]
  /** The service is no longer in the definition. Its database and its migrations are kept. */
  readonly removed?: true
}

/** What `schema.json` records of a database that has a state. */
export function recordOf(
  { service, tables, jobs }: Omit<Database, 'directory'>,
  state: string,
): RecordedSchema {
  const waiting = recordedJobs(jobs)
  return { service, state, tables, ...(waiting && { jobs: waiting }) }
}

/** The text of `schema.json`. */
export function formatSchema(schema: RecordedSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** Reads `schema.json`. `undefined` if it is not what Portico wrote, according to its hash. */
export function parseSchema(text: string): RecordedSchema | undefined {
  try {
    const schema = JSON.parse(text) as RecordedSchema
    return schemaHash(schema.tables) === schemaOf(schema.state) ? schema : undefined
  } catch {
    return undefined
  }
}

/** The schema that the files of a directory lead to. Returns a sentence if they are not a chain that ends at `schema.json`. */
export function recordedSchema(folder: MigrationFolder): RecordedSchema | string {
  const end = followChain(folder)
  if (typeof end === 'string') return end
  const file = `\`${folder.path}/${SCHEMA_FILE}\``
  if (folder.schema === undefined) return `${file} is missing. Restore it from version control`
  if (conflicts(folder.schema))
    return `${file} contains a merge conflict. Run \`portico migration rebase <file>\`, which rewrites it`
  const restore = 'Restore it from version control, or run `portico migration rebase <file>`'
  const recorded = parseSchema(folder.schema)
  if (recorded === undefined) return `${file} is damaged. ${restore}`
  return recorded.state === end.state
    ? recorded
    : `${file} is not the schema that \`${end.last}\` leads to. ${restore}`
}
