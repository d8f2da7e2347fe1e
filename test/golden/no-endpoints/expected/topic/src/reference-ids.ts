import type { HonoRequest } from 'hono'
import { invalidBody } from './errors.ts'

/** The ids that another service asks for: `{"ids": ["..."]}`. Throws 400 for anything else. */
export async function readIds(request: HonoRequest): Promise<string[]> {
  const body: unknown = await request.json().catch(() => undefined)
  const ids = typeof body === 'object' && body !== null && 'ids' in body ? body.ids : undefined
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw invalidBody('must be {"ids": [...]}')
  }
  return ids
}
