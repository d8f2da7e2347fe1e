import { and, asc, type Column, eq, gt, gte, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { databaseError } from './database.ts'
import { invalidParameter } from './errors.ts'
import { type List, type ListSource, readPages } from './lists.ts'
import type { Page } from './queries.ts'
import { isUuid, uuid } from './values.ts'

/** What is asked of a list. Its other keys are filters: an attribute, or one with an operator (`rate[gte]`). */
export interface Query extends Page {
  sort?: string | undefined
  total?: boolean | undefined
}

type Columns = Readonly<Record<string, Column>>

/** A part of a list. */
interface Slice {
  readonly where: SQL | undefined
  readonly order: SQL[]
  readonly limit: number
  readonly offset?: number
  /** The columns that give the place of a row in the order. */
  readonly key: { id: SQL<string> }
}

interface Source<Row, Entity> extends ListSource<Row, Entity, Slice> {
  /** By attribute. */
  readonly columns: Columns
  readonly count: (where: SQL | undefined) => Promise<number>
}

/** A place in an order: an id, and the value of the attribute that sorts the list. */
interface Position {
  readonly id: string
  readonly value: unknown
}

/** Whether a query has neither filters of attributes nor an order, so that prepared statements answer it. */
export const isPlain = ({ limit: _limit, after, 'id[in]': _ids, ...criteria }: Query) =>
  (after === undefined || isUuid(after)) && Object.values(criteria).every((value) => value === undefined)

/**
 * Starts to read the entities that match a query and the condition of access. The statements differ between queries
 * and are not prepared, so Postgres plans them for their values.
 */
export async function search<Row extends { id: string }, Entity>(
  query: Query,
  access: SQL | undefined,
  { columns, rows, batches, count }: Source<Row, Entity>,
): Promise<List<Entity>> {
  // Attributes that are not filters may have the names of these parameters.
  const { limit, after, sort, total, ...criteria } = query
  const order = orderOf(sort, columns)
  const where = and(access, ...filters(criteria, columns))
  const start = readCursor(after, order)
  // Rows with some ids are few.
  const isByIds = criteria['id[in]'] !== undefined
  const scattered = sort === undefined && !isByIds ? scatteredColumn(criteria, columns) : undefined

  /**
   * Reads matches in the order of ids, which their index does not have. Reading all rows in this order is fast if many
   * match, unless those come late; sorting the matches is fast if they are few. Looks ever further for one of the two.
   */
  async function readByIds(size: number, previous: string | undefined, column: Column): Promise<Row[]> {
    const { id } = order.key
    const found: Row[] = []
    let from = previous
    for (let budget = size * FIRST_BUDGET; ; ) {
      const rest = from === undefined ? undefined : gt(id, from)
      const [end] = await rows({ ...order, where: and(access, rest), limit: 1, offset: budget })
      const isBefore = end === undefined ? undefined : lte(id, end.id)
      const left = size - found.length
      found.push(...(await rows({ ...order, where: and(where, rest, isBefore), limit: left })))
      if (end === undefined || found.length === size) return found
      from = end.id
      budget *= 4
      const matches = and(where, gt(id, from))
      const inIndex = [asc(comparable(column))]
      const [further] = await rows({ ...order, where: matches, order: inIndex, limit: 1, offset: budget })
      if (further !== undefined) continue
      // Not the ids themselves, so that Postgres does not read all rows in their order.
      const byText = [sql`${id}::text collate "C"`]
      const last = await rows({ ...order, where: matches, order: byText, limit: size - found.length })
      return [...found, ...last]
    }
  }

  async function read(size: number, previous?: Row): Promise<Row[]> {
    if (scattered !== undefined) return readByIds(size, previous?.id ?? start?.id, scattered)
    const found: Row[] = []
    for (const range of rangesAfter(previous === undefined ? start : positionOf(previous, order), order))
      if (found.length < size)
        found.push(...(await rows({ ...order, where: and(where, range), limit: size - found.length })))
    return found
  }
  const list = await readPages(limit, batches, read, (last) =>
    cursorOf(positionOf(last, order), order),
  ).catch((error: unknown) => {
    // Postgres cannot compare the value of a cursor that it has not given out: a data exception.
    throw start && databaseError(error)?.code?.startsWith('22') ? invalidCursor() : error
  })
  return total === true ? { ...list, headers: { 'X-Total-Count': String(await count(where)) } } : list
}

/** How many rows are first read for each that is asked for. */
const FIRST_BUDGET = 10

/** The column of a filter whose matches are not in the order of ids in its index: all but those of one value. */
function scatteredColumn(criteria: object, columns: Columns): Column | undefined {
  const [name] =
    Object.entries(criteria).find(
      ([key, value]: [string, unknown]) => value === null || (value !== undefined && key.includes('[')),
    ) ?? []
  return name === undefined ? undefined : columns[name.split('[')[0] ?? '']
}

/** The conditions of the filters. All of them must hold. */
function filters(criteria: object, columns: Columns): SQL[] {
  return Object.entries(criteria).flatMap(([name, value]: [string, unknown]) => {
    const [attribute = '', operator = 'eq'] = name.split(/[[\]]/)
    const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
    const condition = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
    return column === undefined || condition === undefined || value === undefined
      ? []
      : [condition(comparable(column), isNullText(value, column) ? null : value)]
  })
}

/** Hooks may write `null` as queries do. In a column of text, it is a value. */
const isNullText = (value: unknown, column: Column) => value === 'null' && column.getSQLType() !== 'text'

const OPERATORS: Readonly<Record<string, (column: SQL, value: unknown) => SQL>> = {
  eq: (column, value) => (value === null ? isNull(column) : eq(column, value)),
  in: (column, values) => inArray(column, Array.isArray(values) ? values : []),
  gt,
  gte,
  lt,
  lte,
}

/** Text is compared by code point, as in its index. */
const comparable = (column: Column) =>
  column.getSQLType() === 'text' ? sql`${column} collate "C"` : sql`${column}`

interface Order extends Pick<Slice, 'order' | 'key'> {
  /** What sorts the list before ids do; `undefined` in the order of ids. */
  readonly sort: { readonly name: string; readonly attribute: string; readonly column: Column } | undefined
}

function orderOf(sort: string | undefined, { id, ...columns }: Columns): Order {
  const attribute = sort?.replace('-', '') ?? ''
  const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
  const ids = sql<string>`${id}`
  if (sort === undefined || column === undefined)
    return { order: [asc(ids)], key: { id: ids }, sort: undefined }
  const direction = sort.startsWith('-') ? sql`desc nulls last` : sql`asc`
  const key = { id: ids, [attribute]: sql`${column}`.mapWith(column) }
  return {
    order: [sql`${comparable(column)} ${direction}`, asc(ids)],
    key,
    sort: { name: sort, attribute, column },
  }
}

function positionOf(row: { id: string }, { sort }: Order): Position {
  return { id: row.id, value: sort && new Map<string, unknown>(Object.entries(row)).get(sort.attribute) }
}

/** The rows after a position as ranges, one after the other, each of which is a range of the index. */
function rangesAfter(position: Position | undefined, { key, sort }: Order): (SQL | undefined)[] {
  if (position === undefined) return [undefined]
  const isAfterId = gt(key.id, position.id)
  if (sort === undefined) return [isAfterId]
  const column = comparable(sort.column)
  if (position.value === null) return [and(isNull(column), isAfterId)]
  const isAfter = sort.name.startsWith('-') ? lt : gt
  return [
    and(eq(column, position.value), isAfterId),
    isAfter(column, position.value),
    ...(sort.column.notNull ? [] : [isNull(column)]),
  ]
}

/** A position in an order as text that is opaque to clients; in the order of ids, it is the id. */
function cursorOf({ id, value }: Position, { sort }: Order): string {
  return sort === undefined ? id : Buffer.from(JSON.stringify([sort.name, value, id])).toString('base64url')
}

function readCursor(after: string | undefined, { sort }: Order): Position | undefined {
  if (after === undefined) return undefined
  if (sort === undefined) {
    if (!isUuid(after)) throw invalidParameter('after', 'must be a UUID')
    return { id: after, value: null }
  }
  const { dataType, notNull } = sort.column
  const type = dataType === 'custom' ? 'string' : dataType
  const value = z.unknown().refine((each) => (each === null ? !notNull : typeof each === type))
  const { data } = z.tuple([z.literal(sort.name), value, uuid]).safeParse(parseCursor(after))
  if (data === undefined) throw invalidCursor()
  return { value: data[1], id: data[2] }
}

const invalidCursor = () => invalidParameter('after', 'must come from a page in the same order')

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
