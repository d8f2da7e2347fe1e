import { schemaChanges } from '../emit/database/changes.ts'
import type { TableSnapshot } from '../emit/database/snapshot.ts'
import { isObject, parseJson } from '../output/json.ts'
import type { ChangedSchema } from './databases.ts'
import { PlatformProblem } from './problem.ts'

/** A service whose database holds another schema than the definition says. */
export interface SchemaChange {
  /** Directory of the service. */
  readonly service: string
  /** What differs, a sentence a table: `Table home: column "beds" is new (integer).` */
  readonly changes: readonly string[]
}

/** Asks whether the data of these services may be deleted. */
export type ConfirmEmptying = (changes: readonly SchemaChange[]) => Promise<boolean>

/** What differs between the databases and the definition. */
export function describeChanges(changed: readonly ChangedSchema[]): SchemaChange[] {
  return changed.map(({ schema, stored }) => {
    const snapshot = (tables: string) => ({
      databases: [{ directory: schema.service, service: schema.service, tables: readTables(tables) }],
    })
    const changes = schemaChanges(snapshot(stored), snapshot(schema.snapshot))
    return {
      service: schema.service,
      changes: changes.map(({ table, change }) => `${table}: ${change}`),
    }
  })
}

/** The problem where nobody can be asked, or the answer was no: nothing runs on a schema that differs. */
export function schemaProblem(changes: readonly SchemaChange[]): PlatformProblem {
  const lines = changes.map(({ service, changes: tables }) =>
    [`  ${service}`, ...tables.map((table) => `    ${table}`)].join('\n'),
  )
  return new PlatformProblem(
    ['The schema changed, and these databases were made with the old one:', ...lines].join('\n'),
    'Start with `--fresh` to begin with an empty database, or undo the change in the definition.',
    'answer',
  )
}

function readTables(text: string): TableSnapshot[] {
  const tables = parseJson(text)
  return Array.isArray(tables) && tables.every(isObject) ? (tables as unknown as TableSnapshot[]) : []
}
