import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ApiEnv } from './api.ts'
import { integer } from './config.ts'
import { invalidParameter } from './errors.ts'
import type { Hook } from './hooks.ts'
import type { Log } from './log.ts'
import type { Page } from './queries.ts'
import { type Validated, validate } from './requests.ts'
import { NIL_UUID, uuid } from './values.ts'

/** Limits pages and batches. */
export const MAX_ROWS = 1000
/** Limits the memory that a list uses. */
export const BATCH_BYTES = 4 * 1024 * 1024

/** Values with commas between them. */
export const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(schema))

/** The largest number of ids in one request. */
export const MAX_IDS = 100
/** The ids that a list is limited to. */
export const idList = listOf(uuid).refine((ids) => ids.length <= MAX_IDS, `must have at most ${MAX_IDS} ids`)

const pageQuery = z.object({
  limit: integer(1, MAX_ROWS).optional(),
  after: uuid.optional(),
  'id[in]': idList.optional(),
})

/** Reads the query parameters `limit`, `after` and `id[in]`. */
export const page: Validated<'query', z.input<typeof pageQuery>, Page> = async (c, next) => {
  if ((c.req.queries('id[in]')?.length ?? 0) > 1) throw invalidParameter('id[in]', 'must not be repeated')
  c.req.addValidatedData('query', validate(pageQuery, c.req.query()))
  await next()
}

/** Reads the rows of one batch. */
type Batch<Entity> = () => Entity[] | Promise<Entity[]>

/** How a list is read. */
export interface ListSource<Row, Entity, Range> {
  /** Entities or, where those may be large, their ids and sizes. */
  readonly rows: (range: Range) => Promise<Row[]>
  readonly batches: (rows: Row[]) => Batch<Entity>[]
}

/** Rows that are small enough to be one batch. */
export const oneBatch = <Entity>(rows: Entity[]): Batch<Entity>[] => [() => rows]

type Size = { readonly id: string; readonly _bytes: number }

/** Cuts rows that may be large into batches, which `find` reads. A row that is too large is a batch of its own. */
export const batchesBySize =
  <Entity extends { id: string }>(find: (ids: string[]) => Promise<Entity[]>) =>
  (rows: readonly Size[]): Batch<Entity>[] => {
    const batches: Size[][] = []
    // The first row begins a batch.
    let bytes = Infinity
    for (const row of rows) {
      bytes += row._bytes
      if (bytes > BATCH_BYTES) {
        batches.push([])
        bytes = row._bytes
      }
      batches.at(-1)?.push(row)
    }
    return batches.map((batch) => async () => {
      const ids = batch.map(({ id }) => id)
      const isLarge = batch.some(({ _bytes }) => _bytes > BATCH_BYTES)
      const found = await (isLarge ? inTurn(() => find(ids)) : find(ids))
      const byId = new Map(found.map((entity) => [entity.id, entity]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    })
  }

/** Settles when the large rows have been read that were asked for last. */
let turn = Promise.resolve()

/** Reads large rows one at a time, because reading a row takes several times its size. */
function inTurn<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  const rows = turn.then(read)
  turn = rows.catch(() => {}).then(() => undefined)
  return rows
}

/** A list whose first batch has been read. */
export interface List<Entity> {
  readonly first: Entity[]
  /** The other batches. Each is read when it is needed, and no connection is held in between. */
  readonly rest?: AsyncIterable<Entity[]> | undefined
  /** The query parameters of the next page that differ from those of this one. */
  readonly next?: { readonly limit: string; readonly after: string } | undefined
  readonly headers?: Record<string, string>
}

/** Starts to read a list in the order of ids. */
export const readList = <Row extends { id: string }, Entity>(
  { limit, after, 'id[in]': ids }: Page,
  { rows, batches }: ListSource<Row, Entity, { after: string; limit: number; ids: string[] | undefined }>,
): Promise<List<Entity>> =>
  readPages(
    limit,
    batches,
    (count, previous) => rows({ ids, after: previous?.id ?? after ?? NIL_UUID, limit: count }),
    ({ id }) => id,
  )

/**
 * Starts to read a page or, without a limit, all pages. `read` gets the number of rows and the row that they come
 * after, and `cursorOf` the last row of a page that another one follows.
 */
export async function readPages<Row, Entity>(
  limit: number | undefined,
  cut: (rows: Row[]) => Batch<Entity>[],
  read: (count: number, previous?: Row) => Promise<Row[]>,
  cursorOf: (last: Row) => string,
): Promise<List<Entity>> {
  const isWhole = limit === undefined
  const size = isWhole ? MAX_ROWS : limit
  if (!(size >= 1)) throw new RangeError('The limit of a list must be a positive number')
  // One more row than the page has shows whether another page follows.
  const pageOf = (rows: Row[]) => ({
    batches: cut(rows.slice(0, size)),
    last: rows.length > size ? rows[size - 1] : undefined,
  })
  async function* readRest(start: ReturnType<typeof pageOf>) {
    for (let current = start; ; current = pageOf(await read(size + 1, current.last))) {
      for (const batch of current.batches) yield batch()
      if (!isWhole || current.last === undefined) return
    }
  }
  const { batches, last } = pageOf(await read(size + 1))
  const first = (await batches.shift()?.()) ?? []
  return {
    first,
    rest: batches.length > 0 || (isWhole && last !== undefined) ? readRest({ batches, last }) : undefined,
    next: isWhole || last === undefined ? undefined : { limit: String(limit), after: cursorOf(last) },
  }
}

/** Reads a whole list. */
export async function collect<Entity>({ first, rest }: List<Entity>): Promise<Entity[]> {
  return rest === undefined ? first : [...first, ...(await Array.fromAsync(rest)).flat()]
}

/** Runs the after-list hooks for each batch, the first of which has been read. */
export async function afterList<Env, Entity, Caller>(
  hook: Pick<Hook<[env: Env, entities: Entity[], caller: Caller]>, 'isUsed' | 'run'>,
  env: Env,
  list: List<Entity>,
  caller: Caller,
): Promise<List<Entity>> {
  if (!hook.isUsed()) return list
  await hook.run(env, list.first, caller)
  // The others are read for the response, outside of the code of the request.
  const inRequest = AsyncLocalStorage.snapshot()
  async function* changed(batches: AsyncIterable<Entity[]>) {
    for await (const batch of batches) {
      await inRequest(() => hook.run(env, batch, caller))
      yield batch
    }
  }
  return { ...list, rest: list.rest && changed(list.rest) }
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
  if (next) {
    // Not the filters that a hook has added: it adds them again.
    const query = new URLSearchParams({ ...c.req.query(), ...next })
    headers['Link'] = `</api${c.req.path}?${query.toString()}>; rel="next"`
  }
  if (rest === undefined) return c.body(JSON.stringify({ [key]: first.map(toPublic) }), 200, headers)

  /** Empties the batch, so that its entities are not in memory until a slow client has received their text. */
  const text = (batch: Entity[]) => JSON.stringify(batch.splice(0).map(toPublic)).slice(1, -1)
  async function* write(batches: AsyncIterable<Entity[]>): AsyncGenerator<Uint8Array> {
    let separator = first.length === 0 ? '' : ','
    yield Buffer.from(`{"${key}":[${text(first)}`)
    try {
      for await (const batch of batches) {
        // Its rows may have been deleted since their sizes were read.
        if (batch.length === 0) continue
        yield Buffer.from(`${separator}${text(batch)}`)
        separator = ','
      }
    } catch (error) {
      log.error({ err: error }, 'Response aborted')
      // The status has been sent. Only a broken connection can report the error.
      c.env?.outgoing?.destroy()
      return
    }
    yield Buffer.from(']}')
  }
  return c.body(ReadableStream.from(write(rest)), 200, headers)
}
