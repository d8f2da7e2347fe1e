import type { CallOptions, Connection } from './connection.js'
import { type Result, success } from './result.js'

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Number of entities per request, 1 to 1000. Default: 100. */
  readonly pageSize?: number
  /** Only the entities with these ids, up to 100. Those that cannot be read are left out. */
  readonly ids?: readonly string[]
  /** Only what follows: `next` of a page or, in the order of ids, an id. */
  readonly after?: string
}

/** What a list is asked for besides its pages. */
export interface Criteria<Filter, Order extends string> {
  /** All of them must hold: `{ status: 'open', 'rate[gte]': 3 }`. Values of `[in]` cannot contain a comma. */
  readonly filter?: Filter
  /** An attribute; with `-`, in descending order. */
  readonly sort?: Order
  /** Whether pages have the number of all entities. */
  readonly total?: boolean
}

/**
 * A list that is read on demand. `for await` reads it page by page and yields a result for each entity. If reading a
 * page fails, the last result is the error.
 */
export interface Pages<Entity> extends AsyncIterable<Result<Entity>> {
  /** Reads the whole list in one request. */
  all(): Promise<Result<Entity[]>>
  /** Reads only the first page. */
  page(): Promise<Result<Page<Entity>>>
}

/** One page of a list. */
export interface Page<Entity> {
  readonly entities: Entity[]
  /** The value of `after` for the next page; `undefined` on the last page. */
  readonly next: string | undefined
  /** The number of all entities, if the options ask for it. */
  readonly total?: number
}

const DEFAULT_PAGE_SIZE = 100
/** The link to the next page (RFC 8288). */
const NEXT_PAGE = /<[^>?]*\?([^>]*)>; *rel="next"/

/** What the next page comes `after`, if there is one: a value of its link. */
export function nextPage(headers: Headers): string | undefined {
  const [, query] = NEXT_PAGE.exec(headers.get('link') ?? '') ?? []
  return new URLSearchParams(query).get('after') ?? undefined
}

/** The list at a path. `key` is its key in responses. */
export function listOf<Entity extends { readonly id: string }>(
  connection: Connection,
  path: string,
  key: string,
  options: ListOptions & Criteria<object, string> = {},
): Pages<Entity> {
  const pageSize = options.pageSize ?? DEFAULT_PAGE_SIZE
  const criteria = {
    ...options.filter,
    'id[in]': options.ids,
    sort: options.sort,
    total: options.total,
  }

  const isEmpty = Object.values(criteria).some((value) => Array.isArray(value) && value.length === 0)

  async function read(query: Readonly<Record<string, string | undefined>>): Promise<Result<Page<Entity>>> {
    // Nothing is in an empty list, but in a query it would be a list of the empty text.
    if (isEmpty) return success({ entities: [], next: undefined, ...(options.total ? { total: 0 } : {}) })
    // Unlike `encodeURIComponent`, this does not throw if a text ends in half of an emoji.
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...criteria, ...query })) {
      // By itself, the text `null` would ask for entities without a value.
      if (value !== undefined) parameters.set(value === 'null' ? `${name}[in]` : name, String(value))
    }
    const search = parameters.toString()
    const target = search === '' ? path : `${path}?${search}`
    const response = await connection.fetchJson({ method: 'GET', path: target, options })
    if (!response.ok) return response
    const entities = (response.value.json as Record<string, Entity[]>)[key] ?? []
    const linked = nextPage(response.value.headers)
    // If a proxy removes the link, a full page may be followed by another one. Only the order of ids has no cursor.
    const isLast = entities.length < pageSize || options.sort !== undefined
    const total = response.value.headers.get('x-total-count')
    return success({
      entities,
      next: linked ?? (isLast ? undefined : entities.at(-1)?.id),
      ...(total === null ? {} : { total: Number(total) }),
    })
  }

  const page = (after: string | undefined) => read({ limit: String(pageSize), after })

  return {
    ...pagesFrom(options.after, page),
    all: async () => {
      const result = await read({ after: options.after })
      return result.ok ? success(result.value.entities) : result
    },
  }
}

/** A list by its pages. `read` returns the page after a value. */
export function pagesFrom<Entity>(
  start: string | undefined,
  read: (after: string | undefined) => Promise<Result<Page<Entity>>>,
): Omit<Pages<Entity>, 'all'> {
  return {
    async *[Symbol.asyncIterator]() {
      let after = start
      do {
        const result = await read(after)
        if (!result.ok) {
          yield result
          return
        }
        for (const entity of result.value.entities) yield success(entity)
        after = result.value.next
      } while (after !== undefined)
    },
    page: () => read(start),
  }
}
