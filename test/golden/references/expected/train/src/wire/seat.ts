import { requireAttributes } from '../body.ts'
import type { Seat, SeatRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readInt } from '../values/int.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): SeatRequest {
  requireAttributes(body, ['number', 'taker', 'connection'])
  return {
    number: readInt(body, 'number', 1, 500),
    taker: readUuid(body, 'taker'),
    connection: readUuid(body, 'connection'),
  }
}

/** What clients see of it. */
export function present(entity: Seat): unknown {
  return {
    id: entity.id,
    number: entity.number,
    taker: entity.taker,
    connection: entity.connection,
    through: entity.through,
  }
}
