import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/json.ts'
import { validValues } from '../../src/conformance/values/valid.ts'
import { invalidValues } from '../../src/conformance/values/invalid.ts'
import {
  smallValue,
  nthValue,
  type ScalarType,
  randomValue,
  valueCount,
} from '../../src/conformance/values/sample.ts'
import { matchesValue } from '../../src/conformance/values/value.ts'
import { rejectsZeroValue, zeroValue } from '../../src/conformance/values/zero.ts'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { validate } from '../../templates/typescript/lib/requests.ts'
import { date } from '../../templates/typescript/lib/dates.ts'
import { decimal } from '../../templates/typescript/lib/decimal.ts'
import { datetime, time } from '../../templates/typescript/lib/times.ts'
import { base64, boolean, double, integer, oneOf, real, text } from '../../templates/typescript/lib/values.ts'
import { decimalBounds } from '../../src/model/decimals.ts'
import { assertNever } from '../../src/model/platform.ts'
import { attributeOf, ownTypes } from './types.ts'

/** Reads JSON text like a generated service. Throws its 400. */
function read(type: ScalarType, json: string): Json {
  const { value } = validate(z.object({ value: schemaOf(type) }), JSON.parse(`{"value":${json}}`) as object)
  return value
}

/** Drops bounds that are not set. */
function bounds({ min, max }: { min?: number | undefined; max?: number | undefined }) {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function schemaOf(type: ScalarType): z.ZodType<Json> {
  switch (type.kind) {
    case 'bool':
      return boolean
    case 'string':
      return text(bounds({ min: type.minLength, max: type.maxLength }))
    case 'int':
      return integer({ min: type.jsonMin, max: type.jsonMax })
    case 'float':
      return (type.column === 'real' ? real : double)(bounds(type))
    case 'date':
      return date
    case 'time':
      return time
    case 'datetime':
      return datetime
    case 'data':
      return base64(bounds({ max: type.maxSize })).transform((bytes) => bytes.toString('base64'))
    case 'decimal':
      return decimal({ scale: type.scale, ...decimalBounds(type) })
    case 'enum':
      return oneOf(...type.values)
    default:
      return assertNever(type)
  }
}

describe('the values that checks send', () => {
  test('are accepted by generated services, with the expected responses', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { description, json, expected } of validValues(type)) {
          const actual = read(type, json)
          expect({ description, json, shown: matchesValue(type, actual, expected) }).toEqual({
            description,
            json,
            shown: true,
          })
        }
      }),
    )
  })

  test('are within the bounds of the type', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { json, expected } of [randomValue(type), smallValue(type)])
          expect(matchesValue(type, read(type, json), expected)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('outside the bounds or in other formats are rejected by generated services', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { json } of invalidValues(type))
          expect(() => read(type, json), json).toThrow(HTTPException)
      }),
    )
  })

  test('of a small range are complete, without duplicates', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        const size = valueCount(type)
        if (size === Number.POSITIVE_INFINITY) return
        const values = Array.from({ length: size }, (_, index) => nthValue(type, index))
        expect(new Set(values.map(({ json }) => json)).size).toBe(size)
        for (const { json, expected } of values)
          expect(matchesValue(type, read(type, json), expected)).toBe(true)
      }),
    )
  })

  test('that are zero are rejected by exactly the types that say so', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        const attribute = attributeOf(type)
        const zero = JSON.stringify(zeroValue(attribute))
        if (rejectsZeroValue(attribute)) expect(() => read(type, zero)).toThrow(HTTPException)
        else expect(read(type, zero)).toEqual(zeroValue(attribute))
      }),
    )
  })
})

describe('a response shows a value', () => {
  test('after rounding to single precision where the column is real', () => {
    const single = { kind: 'float', column: 'real', min: undefined, max: undefined } as const
    expect(matchesValue(single, 0.1, Math.fround(0.1))).toBe(true)
    expect(matchesValue(single, 0.2, 0.1)).toBe(false)
    expect(matchesValue({ ...single, column: 'double precision' }, Math.fround(0.1), 0.1)).toBe(false)
  })

  test('never as -0 or as a string', () => {
    const float = { kind: 'float', column: 'double precision', min: undefined, max: undefined } as const
    expect(matchesValue(float, -0, 0)).toBe(false)
    expect(matchesValue(float, '1', 1)).toBe(false)
    expect(matchesValue({ kind: 'bool' }, undefined, false)).toBe(false)
  })
})
