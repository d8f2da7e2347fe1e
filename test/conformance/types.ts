import * as fc from 'fast-check'
import { namesOf } from '../../src/naming.ts'
import type { Attribute, AttributeType } from '../../src/model/platform.ts'
import type { ScalarType } from '../../src/conformance/values/sample.ts'

const SAFE = 2n ** 53n - 1n

/** Any attribute type but references, with bounds as validation lets them through. */
export const ownTypes: fc.Arbitrary<ScalarType> = fc.oneof(
  fc.constantFrom<ScalarType>({ kind: 'bool' }, { kind: 'date' }, { kind: 'time' }, { kind: 'datetime' }),
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }))
    .map(
      ([minLength, more]): ScalarType => ({
        kind: 'string',
        minLength,
        maxLength: more === undefined ? undefined : minLength + more,
      }),
    ),
  intTypes(),
  floatTypes(),
  decimalTypes(),
  fc
    .option(fc.integer({ min: 0, max: 400 }), { nil: undefined })
    .map((maxSize): ScalarType => ({ kind: 'data', maxSize })),
  fc
    .uniqueArray(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,8}$/), { minLength: 1 })
    .map(([first = '_', ...others]): ScalarType => ({ kind: 'enum', values: [first, ...others] })),
)

function intTypes(): fc.Arbitrary<ScalarType> {
  return fc.integer({ min: 1, max: 8 }).chain((bytes) => {
    const limit = 2n ** BigInt(bytes * 8 - 1)
    const bound = fc.oneof(
      fc.bigInt({ min: -limit, max: limit - 1n }),
      fc.bigInt({ min: limit < 200n ? -limit : -200n, max: limit <= 200n ? limit - 1n : 200n }),
    )
    return fc.tuple(bound, bound).map(([a, b]): ScalarType => {
      const [min, max] = a < b ? [a, b] : [b, a]
      return {
        kind: 'int',
        column: bytes <= 2 ? 'smallint' : bytes <= 4 ? 'integer' : 'bigint',
        bytes,
        min,
        max,
        jsonMin: Number(min < -SAFE ? -SAFE : min > SAFE ? SAFE : min),
        jsonMax: Number(max > SAFE ? SAFE : max < -SAFE ? -SAFE : max),
        checkMin: min,
        checkMax: max,
      }
    })
  })
}

function decimalTypes(): fc.Arbitrary<ScalarType> {
  const limit = 10n ** 38n - 1n
  const bound = fc.option(
    fc.oneof(fc.bigInt({ min: -limit, max: limit }), fc.bigInt({ min: -1000n, max: 1000n })),
    { nil: undefined },
  )
  return fc.tuple(fc.integer({ min: 0, max: 18 }), bound, bound).map(([scale, a, b]): ScalarType => {
    const swapped = a !== undefined && b !== undefined && a > b
    return { kind: 'decimal', scale, min: swapped ? b : a, max: swapped ? a : b }
  })
}

function floatTypes(): fc.Arbitrary<ScalarType> {
  const bound = fc.option(
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -3, max: 3 })),
    { nil: undefined },
  )
  return fc
    .tuple(fc.constantFrom('real' as const, 'double precision' as const), bound, bound)
    .map(([column, a, b]): ScalarType => {
      const round = (value: number | undefined): number | undefined => {
        if (value === undefined || column !== 'real') return value
        const rounded = Math.fround(value)
        return Number.isFinite(rounded) ? rounded : Math.sign(value) * 3.4028234663852886e38
      }
      const [low, high] = [round(a), round(b)]
      const swapped = low !== undefined && high !== undefined && low > high
      return { kind: 'float', column, min: swapped ? high : low, max: swapped ? low : high }
    })
}

/** An attribute of this type that clients send and see. */
export function attributeOf(type: AttributeType, name = 'value', unique = false): Attribute {
  return {
    names: namesOf(name),
    documentation: '',
    type,
    was: undefined,
    visibility: 'public',
    unique,
    optional: false,
    default: undefined,
    inRequest: true,
    required: true,
    inResponse: true,
    stored: true,
  }
}
