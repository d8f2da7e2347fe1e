import { requireAttributes } from '../body.ts'
import type { Watering, WateringRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDouble } from '../values/float.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): WateringRequest {
  requireAttributes(body, ['litres'])
  return {
    litres: readDouble(body, 'litres', 0),
  }
}

/** What clients see of it. */
export function present(entity: Watering): unknown {
  return {
    id: entity.id,
    litres: entity.litres,
    done: entity.done,
  }
}
