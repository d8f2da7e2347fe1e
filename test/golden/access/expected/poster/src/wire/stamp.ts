import { requireAttributes } from '../body.ts'
import type { Stamp, StampRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): StampRequest {
  requireAttributes(body, ['place'])
  return {
    place: readString(body, 'place', 0, 20),
  }
}

/** What clients see of it. */
export function present(entity: Stamp): unknown {
  return {
    id: entity.id,
    place: entity.place,
  }
}
