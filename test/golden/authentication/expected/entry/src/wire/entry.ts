import { requireAttributes } from '../body.ts'
import type { EntryRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDate } from '../values/date.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): EntryRequest {
  requireAttributes(body, ['written', 'text'])
  return {
    written: readDate(body, 'written'),
    text: readString(body, 'text', 0, 10000),
  }
}
