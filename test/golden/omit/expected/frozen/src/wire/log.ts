import { requireAttributes } from '../body.ts'
import type { Log_, LogRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): LogRequest {
  requireAttributes(body, ['line'])
  return {
    line: readString(body, 'line'),
  }
}

/** What clients see of it. */
export function present(entity: Log_): unknown {
  return {
    id: entity.id,
    line: entity.line,
  }
}
