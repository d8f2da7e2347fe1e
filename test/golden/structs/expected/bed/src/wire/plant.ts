import { requireAttributes } from '../body.ts'
import type { Plant, PlantRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDate } from '../values/date.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): PlantRequest {
  requireAttributes(body, ['label', 'planted'])
  return {
    label: readString(body, 'label', 0, 20),
    planted: readDate(body, 'planted'),
  }
}

/** What clients see of it. */
export function present(entity: Plant): unknown {
  return {
    id: entity.id,
    label: entity.label,
    planted: entity.planted,
  }
}
