import type { Json, JsonObject } from '../../json.ts'

const REFERENCE = /^#\/components\/([^/]+)\/([^/]+)$/

/** Kinds of components that are kept even if no `$ref` refers to them. */
const ALWAYS_KEPT: ReadonlySet<string> = new Set(['securitySchemes'])

/** The components that the paths refer to, directly or indirectly, in their original order. */
export function usedComponents(
  paths: JsonObject,
  components: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const used = new Set<string>()
  const pending: Json[] = [paths]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const reference = isObject(next) ? next['$ref'] : undefined
    if (typeof reference === 'string' && !used.has(reference)) {
      used.add(reference)
      const [, kind = '', name = ''] = REFERENCE.exec(reference) ?? []
      const target = components[kind]?.[name]
      if (target !== undefined) pending.push(target)
    }
    for (const value of Object.values(next)) if (typeof value === 'object') pending.push(value)
  }
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, members]): [string, JsonObject][] => {
      if (ALWAYS_KEPT.has(kind)) return [[kind, members]]
      const kept = Object.entries(members).filter(([name]) => used.has(`#/components/${kind}/${name}`))
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]]
    }),
  )
}

function isObject(value: JsonObject | readonly Json[]): value is JsonObject {
  return !Array.isArray(value)
}
