import { describe, expect, it } from 'vitest'
import { accessText } from '../../src/access.ts'
import { compile } from '../../src/compile.ts'
import type { AttributeType, Platform, Service } from '../../src/model/platform.ts'
import type { Overrides } from '../../src/model/resolve.ts'

function platformOf(text: string, overrides?: Overrides): Platform {
  const { platform, diagnostics } = compile(text, overrides)
  if (platform === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return platform
}

function serviceOf(text: string, name: string): Service {
  const service = platformOf(text).services.find(({ names }) => names.declared === name)
  if (service === undefined) throw new Error(`No service ${name}`)
  return service
}

/** The type of `value`, the only attribute of a service. */
function typeOf(declaration: string): AttributeType | undefined {
  return platformOf(`P: project {} S: service { value: ${declaration}; }`).services[0]?.entity.attributes[0]
    ?.type
}

const OPEN = 'P: project {}'
const CLOSED = 'P: project { #authMethod(email); } U: service { #auth; }'

describe('types', () => {
  it('fills in the bounds of an integer from its precision', () => {
    expect(typeOf('int')).toMatchObject({
      column: 'integer',
      bytes: 4,
      min: -(2n ** 31n),
      max: 2n ** 31n - 1n,
      checkMin: undefined,
      checkMax: undefined,
    })
    expect(typeOf('int(precision: 1)')).toMatchObject({
      column: 'smallint',
      min: -128n,
      max: 127n,
      checkMin: -128n,
      checkMax: 127n,
    })
    expect(typeOf('int(precision: 3)')).toMatchObject({
      column: 'integer',
      min: -(2n ** 23n),
      checkMin: -(2n ** 23n),
    })
    expect(typeOf('int(100, 1)')).toMatchObject({
      min: 1n,
      max: 100n,
      checkMin: 1n,
      checkMax: 100n,
      jsonMin: 1,
      jsonMax: 100,
    })
  })

  it('keeps 64-bit bounds exact and limits those in JSON to 2^53-1', () => {
    expect(typeOf('int(9223372036854775806, -9223372036854775808, 8)')).toMatchObject({
      column: 'bigint',
      min: -(2n ** 63n),
      max: 9223372036854775806n,
      checkMin: undefined,
      checkMax: 9223372036854775806n,
      jsonMin: -Number.MAX_SAFE_INTEGER,
      jsonMax: Number.MAX_SAFE_INTEGER,
    })
  })

  it('keeps the values of an enum as written', () => {
    expect(typeOf('enum(open, 2xl, 24-7, In_Progress)')).toEqual({
      kind: 'enum',
      values: ['open', '2xl', '24-7', 'In_Progress'],
    })
  })

  it('keeps the bounds of a decimal exact', () => {
    expect(typeOf('decimal')).toEqual({ kind: 'decimal', scale: 2, min: undefined, max: undefined })
    const [max, min] = ['12345678901234567890.123456789012345678', '-0.000000000000000001']
    expect(typeOf(`decimal(max: ${max}, min: ${min}, scale: 18)`)).toEqual({
      kind: 'decimal',
      scale: 18,
      min: -1n,
      max: 12345678901234567890123456789012345678n,
    })
    expect(typeOf('decimal(scale: 0, max: 10k, min: -1.0)')).toMatchObject({ max: 10_000n, min: -1n })
    expect(typeOf('decimal(max: 1e3, min: 125e-1)')).toMatchObject({ max: 100_000n, min: 1250n })
  })

  it('rounds the bounds of a float to its column', () => {
    expect(typeOf('float(0.1, -0.0, 4)')).toEqual({
      kind: 'float',
      column: 'real',
      max: Math.fround(0.1),
      min: 0,
    })
    expect(typeOf('float(min: 0.1)')).toEqual({
      kind: 'float',
      column: 'double precision',
      min: 0.1,
      max: undefined,
    })
  })

  it('applies suffixes', () => {
    expect(typeOf('data(5M)')).toEqual({ kind: 'data', maxSize: 5_000_000 })
    expect(typeOf('string(2k, 3)')).toEqual({ kind: 'string', maxLength: 2000, minLength: 3 })
  })

  it('follows references to other services, to its own service and to siblings', () => {
    const text = `${OPEN} A: service { X: struct { b: B; a: A; y: Y; } Y: struct { n: int; } } B: service { #uses[A]; n: int; }`
    const a = serviceOf(text, 'A')
    expect(a.structs[0]?.attributes.map(({ type }) => type)).toMatchObject([
      { kind: 'reference', local: false, target: { directory: 'b' } },
      { kind: 'reference', local: true, target: { directory: 'a' } },
      { kind: 'sibling', table: 'y', target: { declared: 'Y' } },
    ])
    expect(a.calls.map(({ directory }) => directory)).toEqual(['b'])
    expect(a.referenced).toBe(true)
    expect(a.structs.map(({ referenced }) => referenced)).toEqual([false, true])
    expect(serviceOf(text, 'B').calls.map(({ directory }) => directory)).toEqual(['a'])
  })
})

describe('access', () => {
  it.each([
    ['nothing said', `${CLOSED} S: service { n: int; }`, ['this', 'this']],
    ['no authentication', `${OPEN} S: service { n: int; }`, ['all', 'all']],
    [
      'the service says',
      `${CLOSED} S: service { n: int; #readable(all); #writable(by: all); }`,
      ['all', 'all'],
    ],
    [
      'the project says',
      'P: project { #authMethod(email); #readable(all); } U: service { #auth; } S: service { n: int; }',
      ['all', 'this'],
    ],
  ])('%s', (_, text, expected) => {
    const { readable, writable } = serviceOf(text, 'S')
    expect([readable, writable].map(accessText)).toEqual(expected)
  })

  it("is not widened by the project's default in a service that stores user metadata", () => {
    const text = 'P: project { #authMethod(email); #readable(all); } U: service { #auth; }'
    expect(accessText(serviceOf(text, 'U').readable)).toBe('this')
  })
})

describe('endpoints', () => {
  const paths = (text: string): string[] =>
    serviceOf(text, 'Big')
      .structs.concat()
      .flatMap(({ endpoints }) => endpoints)
      .concat(serviceOf(text, 'Big').entity.endpoints)
      .flatMap(({ method, success, paths: all }) => all.map((path) => `${method} ${path} ${success}`))

  it('are the documented ones, without the omitted ones', () => {
    const text = `${CLOSED} Big: service { #auth; #enumerable; #readable(all); #omit[delete, update]; SubThing: struct { n: int; #enumerable; #omit[create] } }`
    expect(paths(text)).toEqual([
      'GET /api/big/{parent-id}/sub-thing/{id} 200',
      'PUT /api/big/{parent-id}/sub-thing/{id} 200',
      'PATCH /api/big/{parent-id}/sub-thing/{id} 200',
      'DELETE /api/big/{parent-id}/sub-thing/{id} 200',
      'GET /api/big/{parent-id}/sub-thing/{id}/all 200',
      'GET /api/big/{parent-id}/sub-thing/all 200',
      'POST /api/big 201',
      'GET /api/big/{id} 200',
      'GET /api/big/all 200',
      'GET /api/big 302',
    ])
  })
})

describe('largest bodies', () => {
  const largest = (attributes: string): number =>
    serviceOf(`${OPEN} S: service { ${attributes} }`, 'S').maxBodyBytes
  it('are between 64 KiB and 64 MiB', () => {
    expect(largest('n: int;')).toBe(2 ** 16)
    expect(largest('a: string; b: string; c: data; d: data; e: string; f: string; g: data;')).toBe(
      64 * 2 ** 20,
    )
  })

  it('have room for 12 bytes a code point and 4/3 a byte of data', () => {
    expect(largest('a: string(1M);')).toBeGreaterThan(12_000_000)
    expect(largest('a: string(1M);')).toBeLessThan(12_001_000)
    expect(largest('a: data(3M);')).toBeGreaterThan(4_000_000)
    expect(largest('a: data(3M) @server; b: int;')).toBe(2 ** 16)
  })
})

describe('the command line', () => {
  it('overrides the languages of the project and its services, and the provider', () => {
    const text =
      'P: project { #language(go); #provider(k8s); } S: service { #language(go); n: int; } T: service { #language(ts); n: int; }'
    expect(platformOf(text)).toMatchObject({
      provider: 'kube',
      services: [{ language: 'go' }, { language: 'typescript' }],
    })
    expect(platformOf(text, { language: 'typescript', provider: 'dockerCompose' })).toMatchObject({
      provider: 'dockerCompose',
      services: [{ language: 'typescript' }, { language: 'typescript' }],
    })
  })
})

describe('former names', () => {
  it('are columns of attributes, and all names of services and structs', () => {
    const text =
      'P: project {} Home: service { nightlyRate: float @was(dailyRate); Photo: struct { #was(HomePicture); } #was(House); }'
    const home = serviceOf(text, 'Home')
    expect(home).toMatchObject({
      was: { declared: 'House', kebab: 'house' },
      entity: { was: { declared: 'House' }, attributes: [{ was: 'daily_rate' }] },
      structs: [{ was: { snake: 'home_picture', camel: 'homePicture' } }],
    })
  })

  it('remain those of the database and the secrets of a service', () => {
    const home = serviceOf('P: project {} HolidayHome: service { #was(OldHouse); }', 'HolidayHome')
    expect(home).toMatchObject({
      directory: 'holiday-home',
      path: '/api/holiday-home',
      entity: { table: 'holiday_home' },
      databaseDirectory: 'old-house-db',
      database: 'old_house',
      secretsDirectory: 'old-house',
    })
  })

  it('are absent without `@was` and `#was`', () => {
    const home = serviceOf('P: project {} Home: service { rate: float; }', 'Home')
    expect([home.was, home.entity.was, home.entity.attributes[0]?.was]).toEqual(Array(3).fill(undefined))
  })
})

it('takes documentation from the comments directly before a declaration', () => {
  const text = `/// Not this one.
/** A project.
 *
 *  - with a list
 */
P: project {}
/// One
/// two.
// a note
S: service {
  /// A number.
  n: int;
  m: int; /// Not m's, and nobody's.
}`
  const platform = platformOf(text)
  expect(platform.documentation).toBe('A project.\n\n - with a list')
  expect(platform.services[0]?.entity).toMatchObject({
    documentation: 'One\ntwo.',
    attributes: [{ documentation: 'A number.' }, { documentation: '' }],
  })
})
