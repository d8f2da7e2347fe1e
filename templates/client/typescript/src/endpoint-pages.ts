import type { ApiRequest, Connection } from './connection.js'
import { type ListOptions, nextPage, type Page, type Pages, pagesFrom } from './pages.js'
import { withQuery } from './query.js'
import { type Result, success } from './result.js'

/** A request to an endpoint that returns pages. */
interface PagesRequest extends Omit<ApiRequest, 'options'> {
  /** What is sent in the query. */
  readonly query?: object
  readonly options?: ListOptions | undefined
}

const MAX_PAGE_SIZE = 1000

/** The pages that an endpoint returns. `key` is the key of the list in responses. */
export function pagesOf<Entity>(
  connection: Connection,
  key: string,
  { query, options = {}, ...request }: PagesRequest,
): Pages<Entity> {
  const page = async (after: string | undefined, limit = options.pageSize): Promise<Result<Page<Entity>>> => {
    const path = withQuery(request.path, { ...query, limit, after })
    const response = await connection.fetchJson({ ...request, path, options })
    if (!response.ok) return response
    const { json, headers } = response.value
    return success({ entities: (json as Record<string, Entity[]>)[key] ?? [], next: nextPage(headers) })
  }

  return {
    ...pagesFrom(options.after, page),
    all: async () => {
      const entities: Entity[] = []
      let after = options.after
      do {
        const result = await page(after, MAX_PAGE_SIZE)
        if (!result.ok) return result
        entities.push(...result.value.entities)
        after = result.value.next
      } while (after !== undefined)
      return success(entities)
    },
  }
}
