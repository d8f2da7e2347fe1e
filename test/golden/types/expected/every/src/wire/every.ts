import { requireAttributes } from '../body.ts'
import type { Every, EveryRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readBool } from '../values/bool.ts'
import { base64, readData } from '../values/data.ts'
import { readDate } from '../values/date.ts'
import { readDatetime } from '../values/datetime.ts'
import { readDouble, readReal } from '../values/float.ts'
import { readInt } from '../values/int.ts'
import { readString } from '../values/string.ts'
import { readTime } from '../values/time.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): EveryRequest {
  requireAttributes(body, [
    'flag',
    'anyText',
    'boundText',
    'exactText',
    'lowText',
    'anyInt',
    'max',
    'range',
    'one',
    'two',
    'three',
    'four',
    'five',
    'eight',
    'wide',
    'anyFloat',
    'positive',
    'share',
    'single',
    'day',
    'clock',
    'moment',
    'blob',
    'small',
  ])
  return {
    flag: readBool(body, 'flag'),
    anyText: readString(body, 'anyText'),
    boundText: readString(body, 'boundText', 0, 10),
    exactText: readString(body, 'exactText', 8, 8),
    lowText: readString(body, 'lowText', 3),
    anyInt: readInt(body, 'anyInt', -2147483648, 2147483647),
    max: readInt(body, 'max', -2147483648, 7),
    range: readInt(body, 'range', 1, 100),
    one: readInt(body, 'one', -128, 127),
    two: readInt(body, 'two', -32768, 32767),
    three: readInt(body, 'three', -8388608, 8388607),
    four: readInt(body, 'four', -2147483648, 2147483647),
    five: readInt(body, 'five', -549755813888, 549755813887),
    eight: readInt(body, 'eight', -9007199254740991, 9007199254740991),
    wide: readInt(body, 'wide', -9007199254740991, 9007199254740991),
    anyFloat: readDouble(body, 'anyFloat'),
    positive: readDouble(body, 'positive', 0),
    share: readDouble(body, 'share', 0, 1),
    single: readReal(body, 'single', -0.25, 1000000),
    day: readDate(body, 'day'),
    clock: readTime(body, 'clock'),
    moment: readDatetime(body, 'moment'),
    blob: readData(body, 'blob'),
    small: readData(body, 'small', 5000000),
  }
}

/** What clients see of it. */
export function present(entity: Every): unknown {
  return {
    id: entity.id,
    flag: entity.flag,
    anyText: entity.anyText,
    boundText: entity.boundText,
    exactText: entity.exactText,
    lowText: entity.lowText,
    anyInt: entity.anyInt,
    max: entity.max,
    range: entity.range,
    one: entity.one,
    two: entity.two,
    three: entity.three,
    four: entity.four,
    five: entity.five,
    eight: entity.eight,
    wide: entity.wide,
    anyFloat: entity.anyFloat,
    positive: entity.positive,
    share: entity.share,
    single: entity.single,
    day: entity.day,
    clock: entity.clock,
    moment: entity.moment,
    blob: base64(entity.blob),
    small: base64(entity.small),
  }
}
