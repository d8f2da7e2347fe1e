import { requireAttributes } from '../body.ts'
import type { TrainRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): TrainRequest {
  requireAttributes(body, ['from', 'to', 'driver'])
  return {
    from: readUuid(body, 'from'),
    to: readUuid(body, 'to'),
    driver: readUuid(body, 'driver'),
  }
}
