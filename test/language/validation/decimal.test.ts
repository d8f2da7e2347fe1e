import { describe, expect, test } from 'vitest'
import { checkText } from '../../../src/language/parse.ts'
import { expectInService } from '../../host.ts'

const DIGITS = '9'.repeat(36)

describe('the arguments of a decimal', () => {
  test('are given by name, and are exact', () => {
    expectInService(
      `a: decimal; b: decimal(); c: decimal(max: ${DIGITS}.99, min: -${DIGITS}.99); d: decimal(scale: 0, max: 10k); e: decimal(scale: 18, min: -1e-18); f: decimal(max: 1.500, min: 1.5);`,
    )
    const [found] = expectInService('a: decimal(«10», 2); b: decimal(«1», max: 1);', ...TWO_UNNAMED)
    expect(found?.help).toBe('for example `max: 99.99`; `decimal` accepts `max`, `min` and `scale`')
  })
  test('have a scale from 0 to 18', () => {
    expectInService(
      'a: decimal(scale: «999999999999», max: 1) = 1.5; b: decimal(scale: «-1», max: 0.001); c: decimal(scale: «1.5»);',
      'scale-out-of-range',
      'scale-out-of-range',
      'wrong-argument-kind',
    )
  })
  test('have bounds with no more digits than the values', () => {
    const found = expectInService(
      `a: decimal(max: «1.005»); b: decimal(max: «1${DIGITS}»); c: decimal(min: «-1e36», max: 1); d: decimal(scale: 0, max: «0.5»); e: decimal(max: «1e-20»);`,
      ...Array<'bound-beyond-precision'>(5).fill('bound-beyond-precision'),
    )
    expect(found.map(({ message }) => message)).toEqual([
      '`max` has more than 2 digits after the point',
      '`max` has more than 36 digits before the point',
      '`min` has more than 36 digits before the point',
      '`max` has more than 0 digits after the point',
      '`max` has more than 2 digits after the point',
    ])
    expect(found[0]?.help).toBe('use `scale: 3`, or round it')
  })
  test('have a maximum that is not less than the minimum', () => {
    expectInService(
      `a: decimal(max: «${DIGITS}.98», min: ${DIGITS}.99); b: decimal(min: 0.01, max: «0»); c: decimal(max: 0, min: -0);`,
      'reversed-bounds',
      'reversed-bounds',
    )
  })
  test('are numbers', () => {
    expectInService(
      'a: decimal(max: «1_000»); b: decimal(max: «x»); c: decimal(max: «1e400»); d: decimal(«precision»: 10);',
      'invalid-number',
      'wrong-argument-kind',
      'wrong-argument-kind',
      'unknown-argument',
    )
  })
  test('admit 0 if only hooks set it', () => {
    expectInService(
      'a: «decimal»(min: 0.01) @serverSet; b: «decimal»(max: -1) @server; c: decimal(min: 0, max: 0) @server;',
      'zero-value-invalid',
      'zero-value-invalid',
    )
  })
})

test('a default keeps the scale and the bounds', () => {
  const found = expectInService(
    'a: decimal = 9.5; b: decimal(max: 5) = «5.01»; c: decimal(min: 1) = «0.99»; d: decimal = «1.005»; e: decimal = «"9.50"»; f: decimal = «x»;',
    'default-out-of-bounds',
    'default-out-of-bounds',
    'default-out-of-bounds',
    'wrong-default-kind',
    'wrong-default-kind',
  )
  expect(found.map(({ help }) => help)).toEqual([
    'use a number of at most 5',
    'use a number of at least 1',
    'use at most 2 digits after the point',
    'use `9.50`',
    undefined,
  ])
})

const TWO_UNNAMED = ['unnamed-argument', 'unnamed-argument'] as const

/** Names in other languages. */
test.each(['money', 'numeric', 'numeric(10, 2)', 'currency', 'price', 'BigDecimal', 'Decimal', 'decimel'])(
  '%s is not a type, but decimal is',
  (type) => {
    const { diagnostics } = checkText(`P: project {}\nHome: service { price: ${type}; }\n`)
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ['unknown-type', 'did you mean `decimal`?'],
    ])
  },
)
