import type { Context } from 'hono'
import { answerText } from './answers.ts'
import { invalidParameter } from './errors.ts'
import { errorFields, type Log } from './log.ts'
import { isUuid } from './ids.ts'

/** Which part of a list a client wants; a before-hook may change it. */
export interface Page {
  /** 1 to 1000 entities at most; all without it. */
  limit: number | undefined
  /** Only entities with a greater id. */
  after: string | undefined
}

/** What a list is read from, in batches by key. */
export interface ListSource<Entity> {
  /** Key of the answer: `HomeList`. */
  readonly key: string
  /** Path of the list as clients see it, for the link to the next page. */
  readonly path: string
  /** At most `limit` entities behind the id, in the order of ids; fewer where large ones add up to BATCH_BYTES. */
  batch(after: string, limit: number): Promise<Entity[]>
  /** The ids of the entities `offset` and `offset + 1` places behind the id, as far as they exist. */
  pageEnd(after: string, offset: number): Promise<{ id: string }[]>
  /** What clients see of an entity, where that is not all of it. */
  readonly present?: (entity: Entity) => unknown
  /** Clients do not see all that may be large, so that the length of an answer does not tell what was read. */
  readonly hidesBytes?: true
}

/** What a list is written to, for what goes wrong in the middle of it. */
export interface ListOutput {
  readonly outgoing: { destroy(): void }
  readonly log: Log
}

/** About so many bytes of stored values are held at a time. */
export const BATCH_BYTES = 4 * 1024 * 1024
const MAX_LIMIT = 1000
/** One more than the largest page, so that one query shows whether there is a next page. */
const BATCH_ROWS = MAX_LIMIT + 1
const FIRST = '00000000-0000-0000-0000-000000000000'
const LIMIT = /^[1-9][0-9]{0,3}$/

/** Reads `limit` and `after`. Throws 400 for any other value of them. */
export function readPage(c: Context): Page {
  const limit = c.req.query('limit')
  const after = c.req.query('after')
  if (limit !== undefined && (!LIMIT.test(limit) || Number(limit) > MAX_LIMIT)) {
    throw invalidParameter('limit', `must be an integer from 1 to ${MAX_LIMIT}`)
  }
  if (after !== undefined && !isUuid(after)) throw invalidParameter('after', 'must be a UUID')
  return { limit: limit === undefined ? undefined : Number(limit), after: after?.toLowerCase() }
}

/**
 * Answers with a list. What takes more than one batch is streamed: the next batch is read once the client has
 * taken the last, and no connection to the database is held meanwhile.
 */
export async function answerList<Entity extends { id: string }>(
  source: ListSource<Entity>,
  page: Page,
  output: ListOutput,
): Promise<Response> {
  const batches = readBatches(source, page)
  // The first batch comes before the head of the answer, so that its errors still have a status.
  const { value: first } = await batches.next()
  const headers = first?.next === undefined ? {} : { Link: nextLink(source.path, page.limit, first.next) }
  const start = `{"${source.key}":[${first?.json ?? ''}`
  if (first?.last !== false) return answerText(200, `${start}]}`, headers)
  return answerText(200, stream(start, batches, output), headers)
}

/** Reads a whole list, for hooks that see all of it, and the headers of its answer. */
export async function gatherList<Entity extends { id: string }>(
  source: ListSource<Entity>,
  page: Page,
): Promise<{ entities: Entity[]; headers: Record<string, string> }> {
  const entities: Entity[] = []
  let headers = {}
  for await (const batch of readBatches(source, page)) {
    entities.push(...batch.entities)
    if (batch.next !== undefined) headers = { Link: nextLink(source.path, page.limit, batch.next) }
  }
  return { entities, headers }
}

interface Batch<Entity> {
  readonly entities: Entity[]
  /** The entities as JSON, with commas between them. */
  readonly json: string
  readonly last: boolean
  /** With the first batch of a page: its last id, where there are more entities behind it. */
  readonly next: string | undefined
}

async function* readBatches<Entity extends { id: string }>(
  source: ListSource<Entity>,
  { limit = Infinity, after = FIRST }: Page,
): AsyncGenerator<Batch<Entity>> {
  // A negative one, which only a hook can set, would never be reached.
  if (!(limit >= 1)) throw new RangeError('A hook set the limit of a list to what is no positive number')
  let position = after
  let left = limit
  for (let isFirst = true; ; isFirst = false) {
    const asked = Math.min(left + 1, BATCH_ROWS)
    const found = await source.batch(position, asked)
    const entities = found.length > left ? found.slice(0, left) : found
    const seen = source.present === undefined ? entities : entities.map(source.present)
    const json = JSON.stringify(seen).slice(1, -1)
    left -= entities.length
    // A batch may have been cut by its bytes; a UTF-16 code unit stands for at most three of them.
    const large = source.hidesBytes === true || json.length * 3 >= BATCH_BYTES
    const cut = large && found.length > 0 && found.length < asked
    const last = left === 0 || (found.length < asked && !cut)
    const end = entities.at(-1)?.id ?? position
    const next = isFirst && limit !== Infinity ? await nextPosition() : undefined
    yield { entities, json, last, next }
    if (last) return
    position = end

    async function nextPosition(): Promise<string | undefined> {
      if (!cut || left === 0) return found.length > entities.length ? end : undefined
      const [pageEnd, behind] = await source.pageEnd(end, left - 1)
      return behind === undefined ? undefined : pageEnd?.id
    }
  }
}

function stream<Entity>(
  start: string,
  batches: AsyncGenerator<Batch<Entity>>,
  { outgoing, log }: ListOutput,
): ReadableStream<Uint8Array> {
  let text = start
  return new ReadableStream(
    {
      async pull(controller) {
        controller.enqueue(Buffer.from(text))
        try {
          const { value: batch } = await batches.next()
          if (batch === undefined) {
            controller.enqueue(Buffer.from(']}'))
            controller.close()
          } else text = batch.json === '' ? '' : `,${batch.json}`
        } catch (error) {
          // The status is sent already; a connection that breaks is all that can still tell of it.
          log.error('A list broke off', errorFields(error))
          outgoing.destroy()
          controller.close()
        }
      },
    },
    { highWaterMark: 0 },
  )
}

function nextLink(path: string, limit: number | undefined, after: string): string {
  return `<${path}?limit=${limit}&after=${after}>; rel="next"`
}
