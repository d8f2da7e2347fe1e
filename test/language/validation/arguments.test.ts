import { describe, expect, test } from 'vitest'
import { expectInService } from '../../host.ts'

describe('arguments', () => {
  test('positional and named ones are valid', () => {
    expectInService(
      'a: int(100, 1); b: int(7); c: int(max: 1, min: 0, precision: 1); d: int(1, precision: 8, min: -1); e: string(); f: float(1.5, -0.25); g: float(1e6, 1, 4); h: data(1k); i: float(max: 10k);',
    )
  })
  test('unknown ones', () => {
    const found = expectInService(
      'a: int(«maximum»: 1); b: string(«maxlength»: 1); c: date(«x»: 1);',
      'unknown-argument',
      'unknown-argument',
      'unknown-argument',
    )
    expect(found.map(({ data }) => data?.replacement)).toEqual([undefined, 'maxLength', undefined])
    expect(found[2]?.help).toBe('`date` takes no arguments')
  })
  test('a parameter that already has an argument is not suggested', () => {
    const found = expectInService(
      'a: int(max: 1, «maxx»: 2); b: int(min: 1, «mxa»: 2);',
      'unknown-argument',
      'unknown-argument',
    )
    expect(found.map(({ data }) => data?.replacement)).toEqual([undefined, 'max'])
  })
  test('duplicate ones, related to the first', () => {
    const found = expectInService(
      'a: int(1, «max»: 2); b: int(min: 1, «min»: 2);',
      'duplicate-argument',
      'duplicate-argument',
    )
    expect(found.every(({ related }) => related.length === 1)).toBe(true)
  })
  test('surplus ones', () => {
    const found = expectInService(
      'a: int(3, 1, 4, «9», «10»); b: data(1, «2»); c: bool(«1»);',
      ...Array<'surplus-argument'>(4).fill('surplus-argument'),
    )
    expect(new Set(found.map(({ message }) => message))).toEqual(
      new Set([
        '`int` takes at most 3 arguments',
        '`data` takes at most 1 argument',
        '`bool` takes no arguments',
      ]),
    )
  })
  test('positional ones after named ones', () => {
    expectInService('a: int(max: 3, «1»);', 'positional-after-named')
  })
  test('ones of the wrong kind', () => {
    expectInService(
      'a: int(«1.5»); b: int(«lots»); c: string(«[1]»); d: float(«big»); e: int(precision: «4.0»); f: string(maxLength: «1e3»);',
      ...Array<'wrong-argument-kind'>(6).fill('wrong-argument-kind'),
    )
  })
  test('invalid numbers', () => {
    expectInService(
      'a: int(«80x»); b: int(«1_000»); c: float(«1.5.2»); d: string(«10kk»); e: int(«+5»); f: float(«.5»); g: float(«1.»); h: float(«1.5k»);',
      ...Array<'invalid-number'>(8).fill('invalid-number'),
    )
  })
})

test('digits in groups, which would be several arguments', () => {
  expectInService(
    'a: string(«1,000»); b: int(«1,000,000»); c: int(«5,000», 1); d: int(10,0); e: int(500,100); f: int(1, 000);',
    ...Array<'invalid-number'>(3).fill('invalid-number'),
  )
})

describe('bounds', () => {
  test('a maximum less than the minimum', () => {
    const found = expectInService(
      'a: int(«1», 40); b: int(min: 2, max: «1»); c: float(«0.5», 0.6); d: string(«1», 2); e: int(1, 1); f: string(0, 0);',
      ...Array<'reversed-bounds'>(4).fill('reversed-bounds'),
    )
    expect(found.every(({ related }) => related.length === 1)).toBe(true)
  })
  test('negative lengths and sizes', () => {
    expectInService(
      'a: string(«-1»); b: string(5, «-1»); c: data(«-5M»); d: string(0); e: data(0);',
      ...Array<'negative-size'>(3).fill('negative-size'),
    )
  })
  test('precision', () => {
    expectInService(
      'a: int(precision: «0»); b: int(precision: «9»); c: float(precision: «-1»); d: int(1G, precision: «99999999999999999999»); e: int(1, 0, 8);',
      ...Array<'precision-out-of-range'>(4).fill('precision-out-of-range'),
    )
  })
  test.each([
    [1, 127n],
    [2, 32767n],
    [3, 8388607n],
    [4, 2147483647n],
    [5, 549755813887n],
    [6, 140737488355327n],
    [7, 36028797018963967n],
    [8, 9223372036854775807n],
  ])('an int of %i bytes holds up to %s, exactly', (precision, max) => {
    expectInService(`a: int(${max}, ${-max - 1n}, ${precision});`)
    expectInService(
      `a: int(«${max + 1n}», «${-max - 2n}», ${precision});`,
      'bound-beyond-precision',
      'bound-beyond-precision',
    )
  })
  test('the sufficient precision is suggested', () => {
    const found = expectInService(
      'a: int(«5G»); b: int(max: «99999999999999999999»);',
      'bound-beyond-precision',
      'bound-beyond-precision',
    )
    expect(found[0]?.help).toContain('use `precision: 5`')
    expect(found[1]?.help).not.toContain('precision')
  })
  test('lengths beyond 64 bits', () => {
    expectInService(
      'a: string(«9223372036854775808»); b: data(«99999999999G»);',
      'bound-beyond-precision',
      'bound-beyond-precision',
    )
  })
  test('floats: beyond doubles, and beyond their precision', () => {
    expectInService(
      'a: float(«1e400»); b: float(min: «-1e309»); c: float(max: «1e39», precision: 4); d: float(3.4e38, -3.4e38, 4); e: float(1e308);',
      'bound-not-finite',
      'bound-not-finite',
      'bound-beyond-precision',
    )
  })
  test('a megabyte of digits is out of range', () => {
    const digits = '9'.repeat(1_000_000)
    expectInService(
      `a: int(«${digits}»); b: float(«${digits}»); c: string(«-${digits}»);`,
      'bound-beyond-precision',
      'bound-not-finite',
      'negative-size',
    )
  })
})

describe('the zero value of attributes that only hooks set', () => {
  test('refused', () => {
    expectInService(
      'a: «int»(10, 1) @server; b: «int»(max: -1) @serverSet; c: «float»(min: 0.5) @server; d: «string»(5, 1) @serverSet; T: struct { u: «U» @serverSet; } U: struct {}',
      ...Array<'zero-value-invalid'>(5).fill('zero-value-invalid'),
    )
  })
  test('accepted', () => {
    expectInService(
      'a: int(10, 0) @server; b: string(5) @server; c: data(1) @server; d: date @server; e: Host @serverSet; f: int(10, 1) @client; g: float(0.0, -1) @server;',
    )
  })
})

describe('bounds that no client can reach', () => {
  test('a body has at most 64 MiB, a character takes at least one byte, 3 bytes of data take 4', () => {
    expectInService(
      'a: data(«60M»); b: string(«70M»); c: string(minLength: «80M»); d: data(50M); e: string(60M); f: data(1G) @server; g: data(«1G») @client;',
      ...Array<'unreachable-bound'>(4).fill('unreachable-bound'),
    )
  })
})
