import { requireAttributes } from '../body.ts'
import type { Pin, PinRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): PinRequest {
  requireAttributes(body, ['colour'])
  return {
    colour: readString(body, 'colour', 0, 20),
  }
}

/** What clients see of it. */
export function present(entity: Pin): unknown {
  return {
    id: entity.id,
    colour: entity.colour,
  }
}
