/** What is read of an OpenAPI document; the rest is passed on as it is. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly tags?: readonly { readonly name: string }[]
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly info: Readonly<Record<string, unknown>>
}

type PathItem = Readonly<Record<string, { readonly tags?: readonly string[]; readonly operationId?: string }>>

/**
 * The part of a document that these tags need, or one operation of them (by its id) where one is asked for, so that
 * a hundred services take no longer to show than one.
 */
export function excerpt(document: OpenApi, tags: readonly string[], id: string | undefined): OpenApi {
  const wanted = new Set(tags)
  const paths: Record<string, PathItem> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = Object.entries(item).filter(([, { tags: own, operationId }]) =>
      id === undefined ? own?.some((tag) => wanted.has(tag)) : operationId === id,
    )
    if (operations.length > 0) paths[path] = Object.fromEntries(operations)
  }
  const needed = new Set<string>()
  collect(paths, document, needed)
  return {
    ...document,
    paths,
    tags: id === undefined ? (document.tags ?? []).filter(({ name }) => wanted.has(name)) : [],
    components: Object.fromEntries(
      Object.entries(document.components ?? {}).map(([kind, members]) => [
        kind,
        Object.fromEntries(
          Object.entries(members).filter(
            ([name]) => kind === 'securitySchemes' || needed.has(`#/components/${kind}/${name}`),
          ),
        ),
      ]),
    ),
  }
}

/** Adds the references in a value, and those in what they refer to. */
function collect(value: unknown, document: OpenApi, needed: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collect(each, document, needed)
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key !== '$ref' || typeof each !== 'string') collect(each, document, needed)
    else if (!needed.has(each)) {
      needed.add(each)
      const [, , kind = '', name = ''] = each.split('/')
      collect(document.components?.[kind]?.[name], document, needed)
    }
  }
}
