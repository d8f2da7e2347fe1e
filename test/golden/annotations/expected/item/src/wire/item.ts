import { requireAttributes } from '../body.ts'
import type { Item, ItemRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { base64, readData } from '../values/data.ts'
import { readDate } from '../values/date.ts'
import { readDouble } from '../values/float.ts'
import { readInt } from '../values/int.ts'
import { readString } from '../values/string.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): ItemRequest {
  requireAttributes(body, ['label', 'number', 'weight', 'day', 'picture', 'keeper', 'pin'])
  return {
    label: readString(body, 'label', 0, 80),
    number: readInt(body, 'number', 1, 100),
    weight: readDouble(body, 'weight'),
    day: readDate(body, 'day'),
    picture: readData(body, 'picture'),
    keeper: readUuid(body, 'keeper'),
    pin: readString(body, 'pin', 4, 8),
  }
}

/** What clients see of it. */
export function present(entity: Item): unknown {
  return {
    id: entity.id,
    label: entity.label,
    number: entity.number,
    weight: entity.weight,
    day: entity.day,
    picture: base64(entity.picture),
    keeper: entity.keeper,
    serial: entity.serial,
    at: entity.at,
    counted: entity.counted,
    checked: entity.checked,
    holder: entity.holder,
  }
}
