import { requireAttributes } from '../body.ts'
import type { Group, GroupRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readBool } from '../values/bool.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): GroupRequest {
  requireAttributes(body, ['all', 'user'])
  return {
    all: readBool(body, 'all'),
    user: readUuid(body, 'user'),
  }
}

/** What clients see of it. */
export function present(entity: Group): unknown {
  return {
    id: entity.id,
    all: entity.all,
    user: entity.user,
  }
}
