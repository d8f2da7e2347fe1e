import { requireAttributes } from '../body.ts'
import type { Seal, SealRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): SealRequest {
  requireAttributes(body, ['code'])
  return {
    code: readString(body, 'code', 0, 20),
  }
}

/** What clients see of it. */
export function present(entity: Seal): unknown {
  return {
    id: entity.id,
    mark: entity.mark,
  }
}
