import { requireAttributes } from '../body.ts'
import type { SampleRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDouble } from '../values/float.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): SampleRequest {
  requireAttributes(body, ['station', 'celsius'])
  return {
    station: readUuid(body, 'station'),
    celsius: readDouble(body, 'celsius'),
  }
}
