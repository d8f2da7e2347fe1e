/** A value that `JSON.parse` returns. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is an object, and neither an array nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value of an object's own key, because an attribute may be called `constructor`. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Parses text as JSON; `undefined` if it is invalid. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Json
  } catch {
    return undefined
  }
}

/** Parses text as a JSON object; `undefined` if it is not one. */
export function parseObject(text: string): JsonObject | undefined {
  const json = parseJson(text)
  return isObject(json) ? json : undefined
}

/** Returns JSON with sorted keys, so that equal values give equal bytes. Maps become objects. */
export function stableJson(value: object): string {
  return `${JSON.stringify(value, sortKeys, 2)}\n`
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}
