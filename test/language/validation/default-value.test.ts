import { describe, expect, test } from 'vitest'
import { expectInService } from '../../host.ts'

describe('optional attributes', () => {
  test('may be of any type, also a reference', () => {
    expectInService(
      'a: string(200)?; b: data? @unique; c: Host?; d: int? @serverSet; e: float? @server; T: struct { a: T?; b: U?; } U: struct { t: T; }',
    )
  })
  test('are never `@client`', () => {
    expectInService('a: string«?» @client;', 'optional-client')
    expectInService('a: string(5)«?» = «"x"» @client;', 'optional-client', 'default-not-allowed')
  })
  test('close no cycle', () => {
    expectInService('parent: Home?;')
  })
  test('have a valid zero value', () => {
    expectInService('a: int(min: 1)? @serverSet; T: struct { u: U? @server; } U: struct {}')
  })
})

describe('defaults', () => {
  test.each([
    ['bool', 'true'],
    ['bool', 'false'],
    ['string', '""'],
    ['string(2)', '"NL"'],
    ['string(1)', String.raw`"\ud83d\ude00"`],
    ['string', String.raw`"\"{ // \\ \n"`],
    ['int(5, 1)', '3'],
    ['int', '10k'],
    ['int(precision: 8)', '9007199254740991'],
    ['int(-5)', '-5'],
    ['float(1.0, 0.0)', '1'],
    ['float', '-2.5e3'],
    ['enum(open, in-progress, 2xl)', 'open'],
    ['enum(open, in-progress, 2xl)', 'in-progress'],
    ['enum(open, in-progress, 2xl)', '2xl'],
    ['date', 'now'],
    ['time', 'now'],
    ['datetime', 'now'],
  ])('%s = %s', (type, value) => {
    expectInService(
      `a: ${type} = ${value}; b: ${type}? = ${value} @unique; c: ${type} = ${value} @serverSet;`,
    )
  })

  test.each([
    ['bool', '1', undefined],
    ['bool', 'yes', undefined],
    ['bool', '"true"', 'true'],
    ['bool', 'null', undefined],
    ['string', 'NL', '"NL"'],
    ['string', '5', '"5"'],
    ['string', String.raw`"\x"`, undefined],
    ['int', '1.5', undefined],
    ['int', '1e3', '1000'],
    ['int', '"3"', '3'],
    ['int', 'now', undefined],
    ['float', '"1.5"', '1.5'],
    ['float', 'half', undefined],
    ['enum(open, closed)', '"open"', 'open'],
    ['enum(open, closed)', 'opn', 'open'],
    ['enum(open, closed)', 'x', undefined],
    ['date', '"2030-01-31"', undefined],
    ['time', '12', undefined],
    ['date', 'today', 'now'],
    ['datetime', '"now"', 'now'],
    ['datetime', 'CURRENT_TIMESTAMP', 'now'],
  ])('of the wrong kind: %s = %s', (type, value, replacement) => {
    const [found] = expectInService(`a: ${type} = «${value}» @unique;`, 'wrong-default-kind')
    expect(found?.data?.replacement).toBe(replacement)
  })

  test.each([
    ['string(2)', '"NLD"', undefined],
    ['string(9, 2)', '"N"', undefined],
    ['string', String.raw`"\u0000"`, undefined],
    ['string', String.raw`"\ud83d"`, undefined],
    ['int(5, 1)', '6', '5'],
    ['int(5, 1)', '0', '1'],
    ['int', '3G', '2147483647'],
    ['int(precision: 8)', '9007199254740992', '9007199254740991'],
    ['float(max: 1.5)', '2', '1.5'],
    ['float(min: 0)', '-0.1', '0'],
    ['float', '1e400', undefined],
    ['float(precision: 4)', '1e39', undefined],
  ])('out of bounds: %s = %s', (type, value, replacement) => {
    const [found] = expectInService(`a: ${type} = «${value}»;`, 'default-out-of-bounds')
    expect(found?.data?.replacement).toBe(replacement)
  })

  test('do not exist for references, data and `@client`', () => {
    expectInService(
      'a: Host = «now»; b: data = «"aGk="»; c: int = «3» @client; T: struct { a: U? = «"x"»; } U: struct {}',
      'default-not-allowed',
      'default-not-allowed',
      'default-not-allowed',
      'default-not-allowed',
    )
  })

  test('take the place of a zero value that the type refuses', () => {
    expectInService('a: int(min: 1) = 1 @serverSet; b: string(9, 1) = "x" @server;')
  })

  test('of a type with an invalid bound are not compared with it', () => {
    expectInService('a: int(«1», 5) = 3;', 'reversed-bounds')
    expectInService('a: «text» = 3;', 'unknown-type')
  })
})
