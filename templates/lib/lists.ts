import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ApiEnv } from './api.ts'
import { integer } from './config.ts'
import type { Hook } from './hooks.ts'
import type { Log } from './log.ts'
import { type Page, param } from './queries.ts'
import { type Validated, validate } from './requests.ts'
import { MAX_UUID, NIL_UUID, uuid } from './values.ts'

/** Limits pages and batches. */
export const MAX_ROWS = 1000
/** Limits the memory that a list uses. A row that is larger is a batch of its own. */
export const BATCH_BYTES = 4 * 1024 * 1024

const pageQuery = z.object({ limit: integer(1, MAX_ROWS).optional(), after: uuid.optional() })

/** Reads the query parameters `limit` and `after`. */
export const page: Validated<'query', z.input<typeof pageQuery>, Page> = (c, next) => {
  c.req.addValidatedData('query', validate(pageQuery, c.req.query()))
  return next()
}

/** The parameters of a query for a batch. */
interface Range {
  readonly after: string
  readonly until: string
  readonly limit: number
}

/** The queries that read a list, in the order of ids. */
interface ListSource<Entity> {
  readonly batch: (range: Range) => Promise<Entity[]>
  /** Only for entities that may be large, whose batches are limited by `fitsBatch`. */
  readonly ids?: ((range: Range) => Promise<{ id: string }[]>) | undefined
}

/** The condition that limits a batch by the bytes of its rows. The first row is always included. */
export function fitsBatch(table: PgTable & { id: PgColumn }, isInRange: SQL | undefined, bytes: SQL): SQL {
  return sql`${table.id} in (
    select id from (
      select ${table.id} as id,
        sum(${bytes}) over (order by ${table.id} rows between unbounded preceding and 1 preceding) as preceding
      from ${table} where ${isInRange} order by ${table.id} limit ${param('limit')}
    ) as sizes where coalesce(preceding, 0) < ${BATCH_BYTES}
  )`
}

/** A list whose first batch has been read. */
export interface List<Entity> {
  readonly first: Entity[]
  /** The other batches. Each is read when it is needed, and no connection is held in between. */
  readonly rest?: AsyncIterable<Entity[]> | undefined
  /** The query parameters of the next page. */
  readonly next?: Record<string, string> | undefined
  readonly headers?: Record<string, string>
}

/** Starts to read a list. */
export async function readList<Entity extends { id: string }>(
  { after = NIL_UUID, limit }: Page,
  { batch, ids }: ListSource<Entity>,
): Promise<List<Entity>> {
  if (limit === undefined) return readBatches({ batch, ids }, after, MAX_UUID)
  if (!(limit >= 1)) throw new RangeError('The limit of a list must be a positive number')
  // One more row than the page shows whether another page follows.
  const range = { after, until: MAX_UUID, limit: limit + 1 }
  const nextPage = (rows: readonly { id: string }[]) =>
    rows.length > limit ? { limit: String(limit), after: rows[limit - 1]?.id ?? '' } : undefined
  if (ids === undefined) {
    const rows = await batch(range)
    return { first: rows.slice(0, limit), next: nextPage(rows) }
  }
  // Large rows are read in batches, but the end of the page must be known before the first one is sent.
  const next = nextPage(await ids(range))
  return { ...(await readBatches({ batch, ids }, after, next?.after ?? MAX_UUID)), next }
}

/** Reads the first batch. The number and the bytes of its rows tell whether it is the last one. */
async function readBatches<Entity extends { id: string }>(
  { batch, ids }: ListSource<Entity>,
  after: string,
  until: string,
): Promise<List<Entity>> {
  async function read(position: string) {
    const query = () => batch({ after: position, until, limit: MAX_ROWS })
    const rows = await (ids !== undefined && hasLargeRows ? inTurn(query) : query())
    const bytes = ids === undefined ? 0 : bytesOf(rows)
    hasLargeRows ||= bytes > 2 * BATCH_BYTES
    const isLast = rows.length < MAX_ROWS && bytes < BATCH_BYTES
    return { rows, next: isLast ? undefined : rows.at(-1)?.id }
  }
  async function* rest(start: string) {
    for (let position: string | undefined = start; position !== undefined; ) {
      const { rows, next } = await read(position)
      if (rows.length > 0) yield rows
      position = next
    }
  }
  const { rows: first, next } = await read(after)
  return { first, rest: next === undefined ? undefined : rest(next) }
}

/** Whether this service has read a row that is larger than a batch. */
let hasLargeRows = false
let turn = Promise.resolve()
/** Limits the wait for a turn, so that lists fail soon if the database does not respond. */
const MAX_WAIT_MS = 5000

/** Reads large rows one at a time, because reading a row takes several times its size. */
export async function inTurn<Rows>(query: () => Promise<Rows>): Promise<Rows> {
  const previous = turn
  const { promise, resolve } = Promise.withResolvers<void>()
  turn = promise
  await Promise.race([previous, sleep(MAX_WAIT_MS, undefined, { ref: false })])
  return query().finally(resolve)
}

/** The bytes of the texts and data in rows. */
function bytesOf(rows: readonly object[]): number {
  let bytes = 0
  for (const row of rows)
    for (const value of Object.values(row))
      if (typeof value === 'string' || value instanceof Uint8Array) bytes += Buffer.byteLength(value)
  return bytes
}

/** Reads a whole list. */
export async function collect<Entity>({ first, rest }: List<Entity>): Promise<Entity[]> {
  return rest === undefined ? first : [...first, ...(await Array.fromAsync(rest)).flat()]
}

/** Runs the after-list hooks, which get the whole list. Without hooks, the list is read in batches. */
export async function afterList<Env, Entity, Caller>(
  hook: Hook<[env: Env, entities: Entity[], caller: Caller]>,
  env: Env,
  list: List<Entity>,
  caller: Caller,
): Promise<List<Entity>> {
  if (!hook.isUsed()) return list
  const entities = await collect(list)
  await hook.run(env, entities, caller)
  return { ...list, first: entities, rest: undefined }
}

/** Responds with a list. If reading fails midway, the connection is closed, so that no part looks like the whole. */
export function listResponse<E extends ApiEnv, Entity>(
  c: Context<E>,
  log: Log,
  key: string,
  { first, rest, next, headers: more }: List<Entity>,
  toPublic: (entity: Entity) => unknown,
): Response {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...more }
  if (next) headers['Link'] = `</api${c.req.path}?${new URLSearchParams(next).toString()}>; rel="next"`
  if (rest === undefined) return c.body(JSON.stringify({ [key]: first.map(toPublic) }), 200, headers)

  /** Empties the batch, so that its entities are not in memory until a slow client has received their text. */
  const text = (batch: Entity[]) => JSON.stringify(batch.splice(0).map(toPublic)).slice(1, -1)
  async function* write(batches: AsyncIterable<Entity[]>): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{"${key}":[${text(first)}`)
    try {
      for await (const batch of batches) yield Buffer.from(`,${text(batch)}`)
    } catch (error) {
      log.error({ err: error }, 'List aborted')
      // The status has been sent. Only a broken connection can report the error.
      c.env.outgoing?.destroy()
      return
    }
    yield Buffer.from(']}')
  }
  return c.body(ReadableStream.from(write(rest)), 200, headers)
}
