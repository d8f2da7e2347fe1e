/** A value that `JSON.parse` returns. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object, with its keys in the order in which they are written. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is an object, and neither an array nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses text as JSON; `undefined` if it is invalid. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/**
 * Returns a value with the keys of its objects sorted, so that equal values give equal JSON. Maps become objects. A
 * replacer of `JSON.stringify` would be much slower.
 */
export function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withSortedKeys)
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, withSortedKeys(member)]),
  )
}
