import { and, asc, type Column, eq, gt, gte, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { decimal } from './decimal.ts'
import { invalidParameter } from './errors.ts'
import { BATCH_BYTES, inTurn, type List, MAX_ROWS } from './lists.ts'
import type { Page } from './queries.ts'
import { boolean, date, datetime, double, integer, isUuid, real, text, time, uuid } from './values.ts'

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
}

/** How the entities of a list are read. */
interface Source<Entity> {
  /** By attribute. */
  readonly columns: Columns
  readonly rows: (slice: Slice) => Promise<Entity[]>
  readonly count: (slice: Pick<Slice, 'where'>) => Promise<number>
  /** Only for entities that may be large: they are read in batches, which are limited by these sizes. */
  readonly sizes?: (slice: Slice, fields: ReturnType<typeof keyFields>) => Promise<Key<Entity>[]>
}

/** A row of a list: its place in the order, and the entity or its size. */
interface Key<Entity> {
  readonly id: string
  /** Of the attribute that sorts the list. */
  readonly value: unknown
  readonly entity?: Entity
  readonly bytes?: number
}

type Position = Pick<Key<never>, 'id' | 'value'>

/** Whether a query has neither filters nor an order, so that prepared statements answer it. */
export const isPlain = ({ limit: _limit, after, ...criteria }: Query) =>
  (after === undefined || isUuid(after)) && Object.values(criteria).every((value) => value === undefined)

/**
 * Starts to read the entities that match a query and the condition of access. The statements differ between queries
 * and are not prepared, so Postgres plans them for their values.
 */
export async function search<Entity extends { id: string }>(
  query: Query,
  access: SQL | undefined,
  { columns, rows, count, sizes }: Source<Entity>,
): Promise<List<Entity>> {
  const order = orderOf(query.sort, columns)
  const where = and(access, ...filters(query, columns))
  const size = query.limit ?? MAX_ROWS
  if (!(size >= 1)) throw new RangeError('The limit of a list must be a positive number')

  async function readKeys(range: SQL | undefined, limit: number): Promise<Key<Entity>[]> {
    const slice = { where: and(where, range), order: order.by, limit }
    if (sizes !== undefined) return sizes(slice, keyFields(order))
    return (await rows(slice)).map((entity) => ({ id: entity.id, value: order.valueOf(entity), entity }))
  }

  /** One more row than the page shows whether another page follows. */
  async function readPage(after: Position | undefined) {
    const found: Key<Entity>[] = []
    for (const range of rangesAfter(after, order))
      if (found.length <= size) found.push(...(await readKeys(range, size + 1 - found.length)))
    return {
      batches: batchesOf(found.slice(0, size)),
      last: found.length > size ? found[size - 1] : undefined,
    }
  }

  /** The page stays the same however its rows change meanwhile. */
  async function readBatch(batch: readonly Key<Entity>[]) {
    if (sizes === undefined) return batch.flatMap(({ entity }) => entity ?? [])
    const ids = batch.map(({ id }) => id)
    const find = () => rows({ where: and(access, inArray(order.id, ids)), order: [], limit: ids.length })
    const found = await ((batch[0]?.bytes ?? 0) > BATCH_BYTES ? inTurn(find) : find())
    const byId = new Map(found.map((entity) => [entity.id, entity]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  const page = await readPage(readCursor(query, order))
  const isWhole = query.limit === undefined
  async function* read() {
    for (let { batches, last } = page; ; { batches, last } = await readPage(last)) {
      for (const batch of batches) {
        const entities = await readBatch(batch)
        if (entities.length > 0) yield entities
      }
      if (!isWhole || last === undefined) return
    }
  }
  const reader = read()
  const { value: first } = await reader.next()
  const hasMore = page.batches.length > 1 || (isWhole && page.last !== undefined)
  return {
    first: first ?? [],
    rest: hasMore ? reader : undefined,
    next: isWhole || page.last === undefined ? undefined : nextQuery(query, cursorOf(page.last, order)),
    headers: query.total === true ? { 'X-Total-Count': String(await count({ where })) } : {},
  }
}

/** The query parameters of the next page. */
function nextQuery(query: Query, after: string): Record<string, string> {
  const given = Object.entries({ ...query, after }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** Cuts keys into batches. A row that is too large is a batch of its own. */
function batchesOf<Entity>(keys: readonly Key<Entity>[]): Key<Entity>[][] {
  const batches: Key<Entity>[][] = []
  let bytes = Infinity
  for (const key of keys) {
    bytes += key.bytes ?? 0
    if (bytes > BATCH_BYTES) {
      batches.push([])
      bytes = key.bytes ?? 0
    }
    batches.at(-1)?.push(key)
  }
  return batches
}

/** The conditions of the filters. All of them must hold. */
function filters(query: Query, columns: Columns): SQL[] {
  return Object.entries(query).flatMap(([name, value]: [string, unknown]) => {
    const [attribute = '', operator = 'eq'] = name.split(/[[\]]/)
    const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
    const condition = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
    return column === undefined || condition === undefined || value === undefined
      ? []
      : [condition(comparable(column), value)]
  })
}

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

interface Order {
  readonly by: SQL[]
  readonly id: SQL
  /** What sorts the list before ids do; `undefined` in the order of ids. */
  readonly sort:
    | { readonly name: string; readonly column: Column; readonly isDescending: boolean }
    | undefined
  readonly valueOf: (entity: object) => unknown
}

function orderOf(sort: string | undefined, { id, ...columns }: Columns): Order {
  const attribute = sort?.replace('-', '') ?? ''
  const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
  const ids = sql`${id}`
  if (sort === undefined || column === undefined)
    return { by: [asc(ids)], id: ids, sort: undefined, valueOf: () => null }
  const isDescending = sort.startsWith('-')
  const direction = isDescending ? sql`desc nulls last` : sql`asc`
  return {
    by: [sql`${comparable(column)} ${direction}`, asc(ids)],
    id: ids,
    sort: { name: sort, column, isDescending },
    valueOf: (entity) => new Map(Object.entries(entity)).get(attribute),
  }
}

/** The fields of a key. */
const keyFields = ({ id, sort }: Order) => ({
  id: sql<string>`${id}`,
  value: sort === undefined ? sql<unknown>`null` : sql<unknown>`${sort.column}`.mapWith(sort.column),
})

/** The rows after a position as ranges, one after the other, each of which is a range of the index. */
function rangesAfter(position: Position | undefined, { id, sort }: Order): (SQL | undefined)[] {
  if (position === undefined) return [undefined]
  const isAfterId = gt(id, position.id)
  if (sort === undefined) return [isAfterId]
  const column = comparable(sort.column)
  if (position.value === null) return [and(isNull(column), isAfterId)]
  const isAfter = sort.isDescending ? lt : gt
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

function readCursor({ after }: Query, { sort }: Order): Position | undefined {
  if (after === undefined) return undefined
  if (sort === undefined) {
    if (!isUuid(after)) throw invalidParameter('after', 'must be a UUID')
    return { id: after, value: null }
  }
  const value = valueSchema(sort.column)
  const cursor = z.tuple([z.literal(sort.name), sort.column.notNull ? value : value.nullable(), uuid])
  const { data } = cursor.safeParse(parseCursor(after))
  if (data === undefined) throw invalidParameter('after', 'must come from a page in the same order')
  return { value: data[1], id: data[2] }
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

const RANGES: Readonly<Record<string, number>> = {
  smallint: 2 ** 15 - 1,
  integer: 2 ** 31 - 1,
  bigint: Number.MAX_SAFE_INTEGER,
}

/** The values that Postgres can compare with a column. */
function valueSchema(column: Column): z.ZodType {
  const type = column.getSQLType()
  const max = RANGES[type]
  if (max !== undefined) return integer({ min: -max - 1, max })
  if (type === 'real') return real()
  const [, scale] = /^numeric\(\d+, (\d+)\)$/.exec(type) ?? []
  if (scale !== undefined) return decimal({ scale: Number(scale) })
  const schemas = { 'double precision': double(), boolean, date, time, timestamptz: datetime, uuid }
  return new Map<string, z.ZodType>(Object.entries(schemas)).get(type) ?? text()
}
