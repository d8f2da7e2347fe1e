import { requireAttributes } from '../body.ts'
import type { Node, NodeRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): NodeRequest {
  requireAttributes(body, ['label'])
  return {
    label: readString(body, 'label', 0, 40),
  }
}

/** What clients see of it. */
export function present(entity: Node): unknown {
  return {
    id: entity.id,
    label: entity.label,
  }
}
