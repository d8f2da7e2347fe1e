/** The parts of an OpenAPI document that the viewer's preparation reads. Other parts are kept unchanged. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly tags?: readonly { readonly name: string }[]
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly info: Readonly<Record<string, unknown>>
}

type PathItem = Readonly<Record<string, Operation>>

interface Operation {
  readonly tags?: readonly string[]
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
}

type Value = string | number | boolean

/** A parameter of an operation. */
export interface Parameter {
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: Value | readonly Value[]
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/**
 * Returns a document with the operations of these tags only, or with the one operation that has this id, so that
 * showing one service of a hundred takes no longer than showing the only one.
 */
export function excerpt(document: OpenApi, tags: readonly string[], id: string | undefined): OpenApi {
  const selected = new Set(tags)
  const paths: Record<string, PathItem> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = Object.entries(item).filter(([, { tags: own, operationId }]) =>
      id === undefined ? own?.some((tag) => selected.has(tag)) : operationId === id,
    )
    if (operations.length > 0) paths[path] = Object.fromEntries(operations)
  }
  const references = new Set<string>()
  collect(paths, document, references)
  return {
    ...document,
    paths,
    tags: id === undefined ? (document.tags ?? []).filter(({ name }) => selected.has(name)) : [],
    components: Object.fromEntries(
      Object.entries(document.components ?? {}).map(([kind, members]) => [
        kind,
        Object.fromEntries(
          Object.entries(members).filter(
            ([name]) => kind === 'securitySchemes' || references.has(`#/components/${kind}/${name}`),
          ),
        ),
      ]),
    ),
  }
}

/** Collects the references in a value, including those in the referenced components. */
function collect(value: unknown, document: OpenApi, references: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collect(each, document, references)
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key !== '$ref' || typeof each !== 'string') collect(each, document, references)
    else if (!references.has(each)) {
      references.add(each)
      const [, , kind = '', name = ''] = each.split('/')
      collect(document.components?.[kind]?.[name], document, references)
    }
  }
}
