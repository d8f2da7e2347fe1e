/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** An object of JSON, its keys in the order in which they are written. */
export interface JsonObject {
  readonly [key: string]: Json
}
