import { requireAttributes } from '../body.ts'
import type { EntryRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): EntryRequest {
  requireAttributes(body, ['topic', 'text'])
  return {
    topic: readUuid(body, 'topic'),
    text: readString(body, 'text'),
  }
}
