/** The tags of what other services have returned (`ETag`). What a list contains has none. */
const tags = new WeakMap<object, string>()

/** What makes a request about this version of an entity, or about any for an id, and remembers that of the response. */
export function ofVersion(entity?: string | object) {
  const tag = typeof entity === 'object' ? tags.get(entity) : undefined
  if (typeof entity === 'object' && tag === undefined)
    throw new TypeError('The version of the entity is unknown, because it was not read')
  return {
    headers: tag === undefined ? {} : { 'if-match': tag },
    read(text: string, { etag }: { etag?: unknown }): unknown {
      const content: object = JSON.parse(text)
      if (typeof etag === 'string') tags.set(content, etag)
      return content
    },
  }
}

/** The id of an entity, or the id itself. */
export const idOf = (entity: string | { readonly id: string }) =>
  typeof entity === 'string' ? entity : entity.id
