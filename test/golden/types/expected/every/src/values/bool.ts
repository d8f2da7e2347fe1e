import { invalidParameter } from '../errors.ts'
import type { JsonObject } from '../json.ts'

/** `true` or `false`. */
export function readBool(body: JsonObject, name: string): boolean {
  const value = body.get(name)
  if (typeof value !== 'boolean') throw invalidParameter(name, 'must be true or false')
  return value
}
