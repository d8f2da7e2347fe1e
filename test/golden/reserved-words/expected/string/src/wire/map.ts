import { requireAttributes } from '../body.ts'
import type { Map_, MapRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): MapRequest {
  requireAttributes(body, ['key'])
  return {
    key: readString(body, 'key'),
  }
}

/** What clients see of it. */
export function present(entity: Map_): unknown {
  return {
    id: entity.id,
    key: entity.key,
  }
}
