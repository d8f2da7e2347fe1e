import { requireAttributes } from '../body.ts'
import type { DrawingRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): DrawingRequest {
  requireAttributes(body, ['title'])
  return {
    title: readString(body, 'title', 0, 100),
  }
}
