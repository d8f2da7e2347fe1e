import { requireAttributes } from '../body.ts'
import type { Review, ReviewRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readInt } from '../values/int.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): ReviewRequest {
  requireAttributes(body, ['stars', 'text'])
  return {
    stars: readInt(body, 'stars', 1, 5),
    text: readString(body, 'text'),
  }
}

/** What clients see of it. */
export function present(entity: Review): unknown {
  return {
    id: entity.id,
    stars: entity.stars,
    text: entity.text,
  }
}
