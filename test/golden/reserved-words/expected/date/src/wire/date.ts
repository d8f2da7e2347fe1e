import { requireAttributes } from '../body.ts'
import type { DateRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDatetime } from '../values/datetime.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): DateRequest {
  requireAttributes(body, ['now'])
  return {
    now: readDatetime(body, 'now'),
  }
}
