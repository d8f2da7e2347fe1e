import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/conformance/json.ts'
import { acceptedCases } from '../../src/conformance/values/accepted.ts'
import { refusedCases } from '../../src/conformance/values/refused.ts'
import {
  modestValue,
  nthValue,
  type OwnType,
  randomValue,
  sizeOf,
} from '../../src/conformance/values/sample.ts'
import { shows } from '../../src/conformance/values/value.ts'
import { refusesZero, zeroOf } from '../../src/conformance/values/zero.ts'
import { ServiceError } from '../../templates/typescript/src/errors.ts'
import { type JsonObject, parseJsonObject } from '../../templates/typescript/src/json.ts'
import { readBool } from '../../templates/typescript/src/values/bool.ts'
import { base64, readData } from '../../templates/typescript/src/values/data.ts'
import { readDate } from '../../templates/typescript/src/values/date.ts'
import { readDatetime } from '../../templates/typescript/src/values/datetime.ts'
import { readDouble, readReal } from '../../templates/typescript/src/values/float.ts'
import { readInt } from '../../templates/typescript/src/values/int.ts'
import { readString } from '../../templates/typescript/src/values/string.ts'
import { readTime } from '../../templates/typescript/src/values/time.ts'
import { assertNever } from '../../src/model/platform.ts'
import { attributeOf, ownTypes } from './types.ts'

/** What a generated service makes of a JSON text; throws its 400. */
function read(type: OwnType, json: string): Json {
  const body = parseJsonObject(`{"value":${json}}`)
  if (body.get('value') === null) throw new ServiceError(400, 'missing')
  return readValue(type, body)
}

function readValue(type: OwnType, body: JsonObject): Json {
  switch (type.kind) {
    case 'bool':
      return readBool(body, 'value')
    case 'string':
      return readString(body, 'value', type.minLength, type.maxLength)
    case 'int':
      return readInt(body, 'value', type.jsonMin, type.jsonMax)
    case 'float':
      return (type.column === 'real' ? readReal : readDouble)(body, 'value', type.min, type.max)
    case 'date':
      return readDate(body, 'value')
    case 'time':
      return readTime(body, 'value')
    case 'datetime':
      return readDatetime(body, 'value')
    case 'data':
      return base64(readData(body, 'value', type.maxSize))
    default:
      return assertNever(type)
  }
}

describe('the values that checks send', () => {
  test('are taken by the readers of generated services, with the answers that checks expect', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { what, json, answered } of acceptedCases(type)) {
          const actual = read(type, json)
          expect({ what, json, shown: shows(type, actual, answered) }).toEqual({ what, json, shown: true })
        }
      }),
    )
  })

  test('are drawn within the bounds of the type', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { json, answered } of [randomValue(type), modestValue(type)])
          expect(shows(type, read(type, json), answered)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('beyond the bounds and of other forms are refused by the readers', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { json } of refusedCases(type)) expect(() => read(type, json), json).toThrow(ServiceError)
      }),
    )
  })

  test('of a small range are all there, each once', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        const size = sizeOf(type)
        if (size === Number.POSITIVE_INFINITY) return
        const values = Array.from({ length: size }, (_, index) => nthValue(type, index))
        expect(new Set(values.map(({ json }) => json)).size).toBe(size)
        for (const { json, answered } of values) expect(shows(type, read(type, json), answered)).toBe(true)
      }),
    )
  })

  test('that are zero are refused by exactly the types that say so', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        const attribute = attributeOf(type)
        const zero = JSON.stringify(zeroOf(attribute))
        if (refusesZero(attribute)) expect(() => read(type, zero)).toThrow(ServiceError)
        else expect(read(type, zero)).toEqual(zeroOf(attribute))
      }),
    )
  })
})

describe('an answer shows a value', () => {
  test('after rounding to single precision where the column is real', () => {
    const real = { kind: 'float', column: 'real', min: undefined, max: undefined } as const
    expect(shows(real, 0.1, Math.fround(0.1))).toBe(true)
    expect(shows(real, 0.2, 0.1)).toBe(false)
    expect(shows({ ...real, column: 'double precision' }, Math.fround(0.1), 0.1)).toBe(false)
  })

  test('never as -0 or as text of a number', () => {
    const float = { kind: 'float', column: 'double precision', min: undefined, max: undefined } as const
    expect(shows(float, -0, 0)).toBe(false)
    expect(shows(float, '1', 1)).toBe(false)
    expect(shows({ kind: 'bool' }, undefined, false)).toBe(false)
  })
})
