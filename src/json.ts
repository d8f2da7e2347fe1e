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
