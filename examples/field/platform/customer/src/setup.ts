import { invalidParameter, notFound } from '#lib/errors.ts'
import { isUuid } from '#lib/values.ts'
import type { Env } from './hooks.ts'

/** Archived customers stay, but lists and searches leave them out. */
export default function setup(env: Env): void {
  env.hooks.beforeList((_env, input) => {
    if (!Object.keys(input).some((name) => name.startsWith('archivedAt'))) input.archivedAt = null
  })

  env.endpoints.archive((env, { id }) => setArchived(env, id, new Date().toISOString()))
  env.endpoints.restore((env, { id }) => setArchived(env, id, null))

  env.endpoints.search(async (env, { words, limit, after }) => {
    if (after !== undefined && !isUuid(after)) throw invalidParameter('after', 'must be a UUID')
    const found = await env.datastore.search(words.split(/\s+/), limit + 1, after)
    const items = found.slice(0, limit)
    return { items, next: found.length > limit ? items.at(-1)?.id : undefined }
  })
}

async function setArchived(env: Env, id: string, archivedAt: string | null) {
  const customer = await env.datastore.updateCustomer({ id, archivedAt })
  if (customer === undefined) throw notFound('Customer', id)
  return customer
}
