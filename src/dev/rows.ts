import {
  CREATED_COLUMN,
  identifier,
  OWNER_COLUMN,
  PARENT_COLUMN,
  UPDATED_COLUMN,
} from '../emit/database/identifiers.ts'
import { JOBS_TABLE } from '../emit/database/jobs.ts'
import type { Column, Table } from '../emit/database/table.ts'
import type { Databases } from './databases.ts'

/** The rows of a table to read. */
export interface RowsQuery {
  /** Only those with this id in this column, which is named as in `RowsPage`. */
  readonly filter: { readonly column: string; readonly id: string } | undefined
  /** Only those with a smaller id. */
  readonly before: string | undefined
}

/** Rows of a table, those with the greatest ids first, which are the newest if ids begin with the time (UUIDv7) or count. */
export interface RowsPage {
  readonly columns: readonly RowsColumn[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** Whether there are more rows, with smaller ids. */
  readonly hasMore: boolean
}

/** A column as its attribute is declared (`nightlyRate`), or as the database has it (`_owner`). */
export interface RowsColumn {
  readonly name: string
  /** Its SQL type. Values of `bytea` are numbers of bytes. */
  readonly type: string
}

const PAGE_SIZE = 50
/** Longer values are cut. One more character than this shows that they are. */
const MAX_CHARACTERS = 300
/** The columns without an attribute that are shown. Others, such as password hashes, are nobody's business. */
const SHOWN = new Set(['id', OWNER_COLUMN, PARENT_COLUMN, CREATED_COLUMN, UPDATED_COLUMN, 'email', 'roles'])

/**
 * Reads one page of rows. Resolves with `undefined` if the table has no such column or id.
 *
 * @param query with valid ids: UUIDs, or numbers of jobs
 * @throws an error of Postgres
 */
export async function readRows(
  databases: Databases,
  database: string,
  table: Table,
  { filter, before }: RowsQuery,
): Promise<RowsPage | undefined> {
  const hasJobs = table.name === JOBS_TABLE
  const shown = table.columns.filter(
    ({ name, attribute }) => attribute !== undefined || SHOWN.has(name) || hasJobs,
  )
  const filtered = shown.find((column) => column.type === 'uuid' && nameOf(column) === filter?.column)
  if (filter !== undefined && filtered === undefined) return undefined
  // Ids of jobs are numbers, all others UUIDs.
  if (before?.includes('-') === hasJobs) return undefined
  const conditions = [
    ...(filtered === undefined ? [] : [`${identifier(filtered.name)} = $1::uuid`]),
    ...(before === undefined
      ? []
      : [`"id" < $${filtered === undefined ? 1 : 2}::${hasJobs ? 'bigint' : 'uuid'}`]),
  ]
  const rows = await databases.read(
    database,
    [
      `SELECT ${shown.map(shownValue).join(', ')} FROM ${identifier(table.name)}`,
      ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
      `ORDER BY "id" DESC LIMIT ${PAGE_SIZE + 1}`,
    ].join(' '),
    [filter?.id, before].filter((value) => value !== undefined),
  )
  return {
    columns: shown.map((column) => ({ name: nameOf(column), type: column.type })),
    rows: rows.slice(0, PAGE_SIZE),
    hasMore: rows.length > PAGE_SIZE,
  }
}

function nameOf({ name, attribute }: Column): string {
  return attribute ?? name
}

/** A value as text: short, whatever it is. */
function shownValue({ name, type }: Column): string {
  const column = identifier(name)
  return type === 'bytea' ? `octet_length(${column})::text` : `left(${column}::text, ${MAX_CHARACTERS + 1})`
}
