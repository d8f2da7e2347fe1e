/** Any value that a JSON text holds. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text, `undefined` where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** An object's JSON text from keys and the JSON texts of their values, which keeps every digit of a number. */
export function objectText(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}
