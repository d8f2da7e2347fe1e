import { requireAttributes } from '../body.ts'
import type { PromiseRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): PromiseRequest {
  requireAttributes(body, ['object', 'date'])
  return {
    object: readUuid(body, 'object'),
    date: readUuid(body, 'date'),
  }
}
