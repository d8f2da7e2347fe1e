import { requireAttributes } from '../body.ts'
import type { WriterRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): WriterRequest {
  requireAttributes(body, ['name'])
  return {
    name: readString(body, 'name', 0, 80),
  }
}
