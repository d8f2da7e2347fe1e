/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** A JSON object, with its keys in the order in which they are written. */
export interface JsonObject {
  readonly [key: string]: Json
}
