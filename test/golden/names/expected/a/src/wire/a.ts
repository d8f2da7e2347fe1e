import { requireAttributes } from '../body.ts'
import type { ARequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): ARequest {
  requireAttributes(body, ['b'])
  return {
    b: readUuid(body, 'b'),
  }
}
