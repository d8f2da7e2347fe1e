import { schemaOf } from '../../migration/states.ts'
import { schemaHash } from '../database/hash.ts'
import type { Table } from '../database/table.ts'

/** The content of `schema.json`: the schema that the migrations of a database lead to. */
export interface RecordedSchema {
  /** Declared name of the service. */
  readonly service: string
  /** The state after the last migration. */
  readonly state: string
  readonly tables: readonly Table[]
  /** The service is no longer in the definition. Its database and its migrations are kept. */
  readonly removed?: true
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
