import { requireAttributes } from '../body.ts'
import type { Applause, ApplauseRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readDouble } from '../values/float.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): ApplauseRequest {
  requireAttributes(body, ['loudness'])
  return {
    loudness: readDouble(body, 'loudness', undefined, 194),
  }
}

/** What clients see of it. */
export function present(entity: Applause): unknown {
  return {
    id: entity.id,
    loudness: entity.loudness,
  }
}
