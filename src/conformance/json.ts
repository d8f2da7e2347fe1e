/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; `undefined` if it is invalid. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Returns the JSON text of an object from the JSON texts of its values, which keeps all digits of numbers. */
export function objectText(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}
