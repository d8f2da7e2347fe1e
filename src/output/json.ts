import { isObject, type Json, type JsonObject, parseJson } from '../json.ts'

/** Returns the value of an object's own key, because an attribute may be called `constructor`. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Parses the text of a file as a JSON object; `undefined` if it is not one. A byte order mark is ignored. */
export function parseObject(text: string): JsonObject | undefined {
  const json = parseJson(text.replace(/^\uFEFF/, ''))
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
