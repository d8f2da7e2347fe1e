import { decimalLimits, decimalText, decimalUnits } from '../../model/decimals.ts'
import { type AttributeType, assertNever, type FloatType, type StringType } from '../../model/platform.ts'
import type { Json } from '../../json.ts'
import { creatableWords } from './sample.ts'
import type { Value } from './value.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Doubles tell apart all decimal numbers with so many digits. */
const EXACT_DIGITS = 15
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(\.\d{1,6})?$/
const DATETIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d)(\.\d{1,6})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Returns a value that a user gives for an attribute of this type, and what responses show of it; `undefined` if the
 * type does not allow it. An entry under the same parent cannot be given, because checks create the parents.
 */
export function givenValue(type: AttributeType, json: Json): Value | undefined {
  const shown = shownValue(type, json)
  return shown === undefined ? undefined : { json: JSON.stringify(json), expected: shown }
}

function shownValue(type: AttributeType, json: Json): boolean | number | string | undefined {
  switch (type.kind) {
    case 'bool':
      return typeof json === 'boolean' ? json : undefined
    case 'int':
      // -0 is shown as 0.
      return isWithin(json, type.jsonMin, type.jsonMax) && Number.isInteger(json) ? json || 0 : undefined
    case 'float':
      return isWithin(json, ...floatLimits(type)) ? json || 0 : undefined
    case 'decimal': {
      const text = typeof json === 'number' ? exactText(json) : json
      const form = new RegExp(
        `^-?(?:0|[1-9]\\d{0,37})${type.scale === 0 ? '' : `(?:\\.\\d{1,${type.scale}})?`}$`,
      )
      if (typeof text !== 'string' || !form.test(text)) return undefined
      const units = decimalUnits(text, type.scale)
      const [min, max] = decimalLimits(type)
      return min <= units && units <= max ? decimalText(units, type.scale) : undefined
    }
    case 'string':
    case 'data':
    case 'date':
    case 'time':
    case 'datetime':
    case 'enum':
    case 'reference':
    case 'sibling':
      return typeof json === 'string' ? shownText(type, json) : undefined
    default:
      return assertNever(type)
  }
}

/** A number as it was written; empty if it may have had more digits. */
function exactText(number: number): string {
  const text = String(number)
  return text.replace(/[-.]/g, '').length <= EXACT_DIGITS ? text : ''
}

type TextType = Exclude<AttributeType, { kind: 'bool' | 'int' | 'float' | 'decimal' }>

function shownText(type: TextType, text: string): string | undefined {
  switch (type.kind) {
    case 'string':
      return fitsBounds(type, text) ? text : undefined
    case 'enum':
      return creatableWords(type).includes(text) ? text : undefined
    case 'data': {
      const bytes = Buffer.from(text, 'base64')
      return bytes.toString('base64') === text && bytes.length <= (type.maxSize ?? Infinity)
        ? text
        : undefined
    }
    case 'date':
      return isMoment(`${text}T00:00:00`) && text >= '0001' ? text : undefined
    case 'time': {
      const [, clock, fraction = ''] = TIME.exec(text) ?? []
      return clock === undefined ? undefined : clock + withoutZeros(fraction)
    }
    case 'datetime':
      return inUtc(text)
    case 'reference':
      return ID.test(text) ? text.toLowerCase() : undefined
    case 'sibling':
      return undefined
    default:
      return assertNever(type)
  }
}

function isWithin(json: Json, min: number, max: number): json is number {
  return typeof json === 'number' && min <= json && json <= max
}

function floatLimits({ min, max, column }: FloatType): [min: number, max: number] {
  const limit = column === 'real' ? 3.4028234e38 : Number.MAX_VALUE
  return [min ?? -limit, max ?? limit]
}

function fitsBounds({ minLength, maxLength }: StringType, text: string): boolean {
  const length = Array.from(text).length
  return (
    minLength <= length && length <= (maxLength ?? Infinity) && text.isWellFormed() && !text.includes('\0')
  )
}

/** Whether a day and time without an offset exist. `Date` accepts the 30th of February. */
function isMoment(text: string): boolean {
  const time = Date.parse(`${text}Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, -5) === text
}

function inUtc(text: string): string | undefined {
  const [, local, fraction = '', offset] = DATETIME.exec(text.toUpperCase()) ?? []
  if (local === undefined || offset === undefined || !isMoment(local)) return undefined
  const time = Date.parse(local + offset)
  // Years outside of 0000 to 9999 begin with a sign, which comes before digits.
  const utc = Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, -5)
  return utc >= '0001' ? `${utc}${withoutZeros(fraction)}Z` : undefined
}

const withoutZeros = (fraction: string): string => fraction.replace(/\.?0+$/, '')
