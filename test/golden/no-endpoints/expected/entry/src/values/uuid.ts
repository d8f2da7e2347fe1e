import { invalidParameter } from '../errors.ts'
import { isUuid } from '../ids.ts'
import type { JsonObject } from '../json.ts'

/** A UUID in lower case. */
export function readUuid(body: JsonObject, name: string): string {
  const value = body.get(name)
  if (typeof value !== 'string' || !isUuid(value)) throw invalidParameter(name, 'must be a UUID')
  return value.toLowerCase()
}
