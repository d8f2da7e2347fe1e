import { base64Bytes, DECIMAL_DIGITS } from '../../limits.ts'
import { decimalText } from '../../model/decimals.ts'
import {
  type Attribute,
  type AttributeType,
  assertNever,
  type DataType,
  type DecimalType,
  type FloatType,
} from '../../model/platform.ts'
import { typeNote } from '../../model/type-description.ts'
import type { JsonObject } from '../../json.ts'

/** Text without U+0000, which Postgres cannot store. */
const TEXT = '^[^\\u0000]*$'
/** RFC 3339 allows the year 0, Postgres does not. */
const DATE = '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$'
const TIME = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?$'
/** RFC 3339 without leap seconds and with six fraction digits at most. */
const DATETIME =
  '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-5][0-9](?:\\.[0-9]{1,6})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$'
const SEXTET = '[A-Za-z0-9+/]'
/**
 * Padded, canonical base64 (RFC 4648, sections 3.2 and 3.5). Without `{4}`, because matching `(?:x{4})*` with several
 * megabytes exceeds the stack of JavaScript engines.
 */
const BASE64 = `^(?:${SEXTET.repeat(4)})*(?:${SEXTET}[AQgw]==|${SEXTET.repeat(2)}[AEIMQUYcgkosw048]=)?$`
/** The largest finite value of a `real` (IEEE 754 binary32), as Postgres writes it. */
const MAX_REAL = 3.4028235e38
/** Number of digits that distinguish any two values of a `real`. */
const REAL_DIGITS = 9

/** The schema of an id. */
export const ID_SCHEMA: JsonObject = { type: 'string', format: 'uuid' }

/** Where an attribute is: in bodies, or in the path or the query. */
export type AttributeUse = 'request' | 'patch' | 'response' | 'parameter'

/** The JSON Schema (2020-12) of an attribute in requests, patches or responses, with its bounds and a description. */
export function attributeSchema(attribute: Attribute, use: AttributeUse): JsonObject {
  const given = use === 'request' || use === 'parameter' ? attribute.default : undefined
  const description = [
    attribute.documentation,
    noteOf(attribute.type),
    attribute.unique ? 'The value must be unique.' : '',
    isReadOnly(attribute) ? 'Set by the service.' : '',
    given?.kind === 'now' ? 'The default is the time of the request.' : '',
    attribute.visibility === 'client' ? 'Only used in requests: it is neither stored nor returned.' : '',
  ]
  const text = description.filter((part) => part !== '').join('\n\n')
  return {
    // In a request, null counts as missing, which a default allows.
    ...(use !== 'parameter' && (attribute.optional || given !== undefined)
      ? nullable(typeSchema(attribute.type))
      : typeSchema(attribute.type)),
    ...(given?.kind === 'value' ? { default: given.value } : {}),
    ...(text === '' ? {} : { description: text }),
    ...(isReadOnly(attribute) ? { readOnly: true } : {}),
    ...(attribute.visibility === 'client' ? { writeOnly: true } : {}),
  }
}

/** Whether only responses have an attribute. */
function isReadOnly({ visibility }: Attribute): boolean {
  return visibility === 'serverSet' || visibility === 'timestamp'
}

/** The schema of the same values and `null`. */
function nullable({ type = '', anyOf, enum: values, ...rest }: JsonObject): JsonObject {
  return {
    type: [type, 'null'],
    ...rest,
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: [...anyOf, { type: 'null' }] } : {}),
  }
}

/** The JSON Schema of a value with its bounds. */
export function typeSchema(type: AttributeType): JsonObject {
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
    case 'decimal':
      return { type: 'string', format: 'decimal', pattern: decimalPattern(type) }
    case 'date':
      return { type: 'string', format: 'date', pattern: DATE }
    case 'time':
      return { type: 'string', pattern: TIME }
    case 'datetime':
      return { type: 'string', format: 'date-time', pattern: DATETIME }
    case 'data':
      return dataSchema(type)
    case 'enum':
      return { type: 'string', enum: [...type.values] }
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

/** The shortest decimal that rounds to a single-precision value, which is how Postgres formats a `real`. */
function shortestReal(value: number): number {
  for (let digits = 1; digits < REAL_DIGITS; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(REAL_DIGITS))
}

/** Describes the form, and of the bounds the sign and the number of digits. */
function decimalPattern({ scale, min, max }: DecimalType): string {
  const sign = min !== undefined && min >= 0n ? '' : '-?'
  const largest = [min, max].map((bound) =>
    bound === undefined ? DECIMAL_DIGITS - scale : decimalText(bound, scale).replace(/^-|\..*/g, '').length,
  )
  const fraction = scale === 0 ? '' : `(?:\\.[0-9]{1,${scale}})?`
  return `^${sign}(?:0|[1-9][0-9]{0,${Math.max(...largest) - 1}})${fraction}$`
}

/** Three bytes take four characters. If the maximum size is not a multiple of three, the longest value has padding. */
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

/** What the keywords of a schema do not say about a type. */
function noteOf(type: AttributeType): string {
  switch (type.kind) {
    case 'float':
      return type.column === 'real' ? 'Rounded to single precision before its bounds are checked.' : ''
    case 'decimal':
      return `${typeNote(type)} Requests can also send a JSON number of at most 15 digits.`
    case 'time':
    case 'datetime':
    case 'data':
    case 'enum':
    case 'reference':
    case 'sibling':
      return typeNote(type)
    case 'bool':
    case 'string':
    case 'int':
    case 'date':
      return ''
    default:
      return assertNever(type)
  }
}
