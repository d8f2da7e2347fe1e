import { requireAttributes } from '../body.ts'
import type { HomeRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readInt } from '../values/int.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): HomeRequest {
  requireAttributes(body, ['rooms'])
  return {
    rooms: readInt(body, 'rooms', -2147483648, 2147483647),
  }
}
