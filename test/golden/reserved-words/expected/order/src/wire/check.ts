import { requireAttributes } from '../body.ts'
import type { Check, CheckRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readInt } from '../values/int.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): CheckRequest {
  requireAttributes(body, ['group', 'unique'])
  return {
    group: readUuid(body, 'group'),
    unique: readInt(body, 'unique', -2147483648, 2147483647),
  }
}

/** What clients see of it. */
export function present(entity: Check): unknown {
  return {
    id: entity.id,
    group: entity.group,
    unique: entity.unique,
  }
}
