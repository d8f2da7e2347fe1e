import { requireAttributes } from '../body.ts'
import type { Edge, EdgeRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDouble } from '../values/float.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): EdgeRequest {
  requireAttributes(body, ['from', 'to', 'weight'])
  return {
    from: readUuid(body, 'from'),
    to: readUuid(body, 'to'),
    weight: readDouble(body, 'weight'),
  }
}

/** What clients see of it. */
export function present(entity: Edge): unknown {
  return {
    id: entity.id,
    from: entity.from,
    to: entity.to,
    weight: entity.weight,
  }
}
