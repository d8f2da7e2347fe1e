import type { CallOptions, Connection } from './connection.js'
import { type Result, success } from './result.js'

/** Which part of a list is asked for. */
export interface ListOptions extends CallOptions {
  /** How many entities one request asks for: 1 to 1000. Default: 100. */
  readonly pageSize?: number
  /** Only entities with a greater id. */
  readonly after?: string
}

/**
 * A list, of which nothing is asked for yet. `for await` reads it page by page and gives one result an entity; a page
 * that cannot be had is the last result, and its error says why.
 */
export interface Pages<Entity> extends AsyncIterable<Result<Entity>> {
  /** The whole list, in one request. */
  all(): Promise<Result<Entity[]>>
  /** The first page alone. */
  page(): Promise<Result<Page<Entity>>>
}

/** Some entities of a list. */
export interface Page<Entity> {
  readonly entities: Entity[]
  /** What `after` of the next page is; `undefined` where nothing follows. */
  readonly next: string | undefined
}

const DEFAULT_PAGE_SIZE = 100
/** The link to the next page (RFC 8288). */
const NEXT_PAGE = /<[^>]*[?&]after=([^>&]+)[^>]*>; *rel="next"/

/** The list at a path, in whose answers it stands under a key. */
export function listOf<Entity extends { readonly id: string }>(
  connection: Connection,
  path: string,
  key: string,
  options: ListOptions = {},
): Pages<Entity> {
  const pageSize = options.pageSize ?? DEFAULT_PAGE_SIZE

  async function read(query: Readonly<Record<string, string | undefined>>): Promise<Result<Page<Entity>>> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    const target = given.length === 0 ? path : `${path}?${given.join('&')}`
    const answer = await connection.answer({ method: 'GET', path: target, options })
    if (!answer.ok) return answer
    const entities = (answer.value.json as Record<string, Entity[]>)[key] ?? []
    const linked = NEXT_PAGE.exec(answer.value.headers.get('link') ?? '')?.[1]
    // Pages of another origin do not get to see the link; a full page may be followed by one more.
    const last = entities.length < pageSize ? undefined : entities.at(-1)?.id
    return success({ entities, next: linked ?? last })
  }

  const page = (after: string | undefined) => read({ limit: String(pageSize), after })

  return {
    async *[Symbol.asyncIterator]() {
      let after = options.after
      do {
        const result = await page(after)
        if (!result.ok) {
          yield result
          return
        }
        for (const entity of result.value.entities) yield success(entity)
        after = result.value.next
      } while (after !== undefined)
    },
    all: async () => {
      const result = await read({ after: options.after })
      return result.ok ? success(result.value.entities) : result
    },
    page: () => page(options.after),
  }
}
