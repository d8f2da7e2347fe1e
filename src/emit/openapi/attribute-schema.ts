import { base64Bytes } from '../../model/limits.ts'
import {
  type Attribute,
  type AttributeType,
  assertNever,
  type DataType,
  type FloatType,
} from '../../model/platform.ts'
import { counted, withArticle } from '../../model/names.ts'
import type { JsonObject } from './json.ts'

/** Text without U+0000, which Postgres cannot store. */
const TEXT = '^[^\\u0000]*$'
/** Year 0 is a date to RFC 3339 and none to Postgres. */
const DATE = '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$'
const TIME = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?$'
/** RFC 3339 without leap seconds and with six fraction digits at most. */
const DATETIME =
  '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-5][0-9](?:\\.[0-9]{1,6})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$'
/** Padded base64 whose last digit has no stray bits (RFC 4648, sections 3.2 and 3.5). */
const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$'
/** The largest finite value of a `real` (IEEE 754 binary32), as Postgres writes it. */
const MAX_REAL = 3.4028235e38
/** So many digits tell any two values of a `real` apart. */
const REAL_DIGITS = 9

/** An id as JSON carries it. */
export const ID_SCHEMA: JsonObject = { type: 'string', format: 'uuid' }

/** The schema of an attribute (JSON Schema 2020-12), with every bound that it can express and what is known of it. */
export function attributeSchema(attribute: Attribute): JsonObject {
  const description = [
    attribute.documentation,
    typeNote(attribute.type),
    attribute.unique ? 'No two have the same value.' : '',
    attribute.visibility === 'serverSet' ? 'Set by the service.' : '',
    attribute.visibility === 'client' ? 'In requests only: it is neither stored nor answered.' : '',
  ]
  const text = description.filter((part) => part !== '').join('\n\n')
  return {
    ...typeSchema(attribute.type),
    ...(text === '' ? {} : { description: text }),
    ...(attribute.visibility === 'serverSet' ? { readOnly: true } : {}),
    ...(attribute.visibility === 'client' ? { writeOnly: true } : {}),
  }
}

function typeSchema(type: AttributeType): JsonObject {
  switch (type.kind) {
    case 'bool':
      return { type: 'boolean' }
    case 'string':
      return {
        type: 'string',
        ...(type.minLength === 0 ? {} : { minLength: type.minLength }),
        ...(type.maxLength === undefined ? {} : { maxLength: type.maxLength }),
        pattern: TEXT,
      }
    case 'int':
      return {
        type: 'integer',
        format: type.bytes <= 4 ? 'int32' : 'int64',
        minimum: type.jsonMin,
        maximum: type.jsonMax,
      }
    case 'float':
      return floatSchema(type)
    case 'date':
      return { type: 'string', format: 'date', pattern: DATE }
    case 'time':
      return { type: 'string', pattern: TIME }
    case 'datetime':
      return { type: 'string', format: 'date-time', pattern: DATETIME }
    case 'data':
      return dataSchema(type)
    case 'reference':
      return { ...ID_SCHEMA, 'x-references': type.target.names.declared }
    case 'sibling':
      return { ...ID_SCHEMA, 'x-references': type.target.declared }
    default:
      return assertNever(type)
  }
}

function floatSchema({ column, min, max }: FloatType): JsonObject {
  if (column === 'real') {
    return {
      type: 'number',
      format: 'float',
      minimum: min === undefined ? -MAX_REAL : shortestReal(min),
      maximum: max === undefined ? MAX_REAL : shortestReal(max),
    }
  }
  return {
    type: 'number',
    format: 'double',
    minimum: min ?? -Number.MAX_VALUE,
    maximum: max ?? Number.MAX_VALUE,
  }
}

/** The shortest number that rounds to a value of single precision: what answers hold, as Postgres writes `real`. */
function shortestReal(value: number): number {
  for (let digits = 1; digits < REAL_DIGITS; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(REAL_DIGITS))
}

/** Three bytes are four characters; a size between two multiples of three leaves the last four a padding. */
function dataSchema({ maxSize }: DataType): JsonObject {
  const schema: JsonObject = { type: 'string', contentEncoding: 'base64', pattern: BASE64 }
  if (maxSize === undefined) return schema
  const maxLength = base64Bytes(maxSize)
  const padding = '='.repeat((3 - (maxSize % 3)) % 3)
  return {
    ...schema,
    maxLength,
    ...(padding === ''
      ? {}
      : {
          anyOf: [
            { type: 'string', maxLength: maxLength - 4 },
            { type: 'string', pattern: `${padding}$` },
          ],
        }),
  }
}

function typeNote(type: AttributeType): string {
  switch (type.kind) {
    case 'float':
      return type.column === 'real' ? 'Rounded to single precision before its bounds are looked at.' : ''
    case 'time':
      return 'A time of the day, `HH:MM:SS`, with up to six digits of a fraction.'
    case 'datetime':
      return 'RFC 3339 with an offset, in the years 0001 to 9999 in UTC, which is how it is answered.'
    case 'data':
      return type.maxSize === undefined
        ? 'Base64, padded.'
        : `Base64, padded, of at most ${counted(type.maxSize, 'byte')}.`
    case 'reference':
      return `The id of ${withArticle(type.target.names.declared)}.`
    case 'sibling':
      return `The id of ${withArticle(type.target.declared)} under the same parent.`
    case 'bool':
    case 'string':
    case 'int':
    case 'date':
      return ''
    default:
      return assertNever(type)
  }
}
