import { describe, expect, test } from 'vitest'
import type { Language } from '../../../src/language/builtins.ts'
import { checkText } from '../../../src/language/parse.ts'
import { expectDiagnostics, expectInService } from '../../host.ts'

describe('names of attributes', () => {
  test.each(['«Name»', '«first_name»', '«größe»', '«first-name»', '«$x»', '«2fa»'])('%s', (name) => {
    expectInService(`${name}: int;`, 'invalid-attribute-name')
  })
  test.each([
    ['Name', 'name'],
    ['first_name', 'firstName'],
    ['URL', 'url'],
    ['_x', 'x'],
    ['ID', undefined],
  ])('%s: `%s` is suggested', (name, suggestion) => {
    const [found] = expectInService(`«${name}»: int;`, 'invalid-attribute-name')
    expect(found?.data?.replacement).toBe(suggestion)
  })
  test('no word is reserved', () => {
    expectInService(
      'project: int; service: int; struct: string; string: string; int: date; auth: bool; constructor: int; select: int;',
    )
  })
  test('`id` is declared implicitly', () => {
    expectInService('«id»: int; T: struct { «id»: string; }', 'implicit-id', 'implicit-id')
  })
  test('attributes that only hooks set are not named like a member of every object', () => {
    expectInService('toString: string; valueOf: string @client; hasOwnProperty: string?; then: int @server;')
    expectInService(
      '«constructor»: string @serverSet; T: struct { «valueOf»: int @server; }',
      'reserved-attribute-name',
      'reserved-attribute-name',
    )
  })
  test('with `--language`, the names that this language reserves', () => {
    const definition = (language: string) =>
      `P: project { #language(${language}); } Home: service { constructor: string @serverSet; }`
    const codes = (declared: Language, used?: Language) =>
      checkText(definition(declared), undefined, used).diagnostics.map(({ code }) => code)
    expect(codes('go')).toEqual([])
    expect(codes('go', 'typescript')).toEqual(['reserved-attribute-name'])
    expect(codes('typescript', 'go')).not.toContain('reserved-attribute-name')
  })
  test('unique in their block, as written and as columns', () => {
    const found = expectInService(
      'name: int;\n«name»: bool;\nhomeURL: int;\n«homeUrl»: int; T: struct { name: int; }',
      'duplicate-attribute',
      'attribute-collision',
    )
    expect(found[1]?.message).toContain('`home_url`')
    expect(found.map(({ related }) => related[0]?.range.start.line)).toEqual([4, 6])
  })
  test('a column of 63 bytes is not too long, one of 64 is', () => {
    expectInService(`a${'b'.repeat(62)}: int;`)
    expectInService(`«a${'b'.repeat(63)}»: int;`, 'name-too-long')
  })
})

describe('annotations', () => {
  test('unknown ones', () => {
    const found = expectInService(
      'a: int @«serverset» @«sparkling»;',
      'unknown-annotation',
      'unknown-annotation',
    )
    expect(found[0]?.help).toBe('did you mean `@serverSet`?')
    expect(found[1]?.help).toBe('use `@unique`, `@server`, `@serverSet`, `@client`, `@was` or `@transitions`')
  })
  test('duplicate ones', () => {
    expectInService('a: int @server @«server»;', 'duplicate-annotation')
  })
  test('conflicting ones: each later one is reported', () => {
    expectInService(
      'a: int @server @«client» @«serverSet»;',
      'conflicting-annotations',
      'conflicting-annotations',
    )
  })
  test('`@unique` and `@client`, in either order', () => {
    expectInService('a: int @unique @«client»; b: int @client @«unique»;', 'unique-client', 'unique-client')
    expectInService('a: int @unique @server; b: int @serverSet @unique;')
  })
})

describe('types', () => {
  test('the nearest name is suggested', () => {
    const suggestions = (members: string, count: number): (string | undefined)[] =>
      expectInService(members, ...Array<'unknown-type'>(count).fill('unknown-type')).map(
        ({ data }) => data?.replacement,
      )
    expect(
      suggestions('a: «Hoem»; b: «host»; c: «String»; d: «text»; e: «boolean»; f: «Nothing»;', 6),
    ).toEqual(['Home', 'Host', 'string', 'string', 'bool', undefined])
    expect(suggestions('Photo: struct {} Tag: struct { a: «Phot»; } x: «Phot»;', 2)).toEqual([
      'Photo',
      undefined,
    ])
  })
  test('a service, the parent, a sibling and, set by the server, itself', () => {
    expectInService(
      'host: Host; A: struct { home: Home; b: B; host: Host; } B: struct {} before: Home @serverSet;',
    )
  })
  test('the project is not a type', () => {
    const [found] = expectInService('a: «P»;', 'unknown-type')
    expect(found?.message).toContain('is the project')
    expect(found?.related).toHaveLength(1)
  })
  test('a service whose name is in the wrong case is one mistake, however it is referred to', () => {
    expectDiagnostics(
      'P: project {}\n«host»: service {}\nHome: service { a: Host; b: host; #uses[Host]; T: struct { u: UnitPrice; } «unit_price»: struct {} }',
      'invalid-block-name',
      'invalid-block-name',
    )
  })
  test('a sibling, in a struct whose kind is misspelled', () => {
    expectInService('T: «strut» { u: U; } U: struct {}', 'unknown-block-kind')
  })
  test('a struct from its own service, and one of another service', () => {
    const found = expectDiagnostics(
      'P: project {}\nA: service { t: «T»; T: struct {} }\nB: service { t: «T»; U: struct { t: «T»; } }',
      'struct-out-of-reach',
      'struct-out-of-reach',
      'struct-out-of-reach',
    )
    expect(found[2]?.message).toBe('`T` is private to `A`')
    expect(found.every(({ related }) => related[0]?.range.start.line === 2)).toBe(true)
  })
  test('arguments on a reference', () => {
    expectInService(
      'a: Host«(max: 1)»; b: Host(); T: struct { u: U«(1)»; } U: struct {}',
      ...Array<'reference-with-arguments'>(2).fill('reference-with-arguments'),
    )
  })
})

describe('cycles of references that clients must supply', () => {
  test('a service that refers to itself', () => {
    const [found] = expectInService('parent: «Home»;', 'reference-cycle')
    expect(found?.message).toContain('Home → Home')
    expectInService('parent: «Home» @client;', 'reference-cycle')
  })
  test('two that refer to each other: the later one, related to the earlier', () => {
    const [found] = expectDiagnostics(
      'P: project {}\nA: service { b: B; }\nB: service { c: C; }\nC: service { a: «A»; }',
      'reference-cycle',
    )
    expect(found?.message).toContain('A → B → C → A')
    expect(found?.related.map(({ range }) => range.start.line)).toEqual([2, 3])
  })
  test('one diagnostic for each cycle', () => {
    expectDiagnostics(
      'P: project {}\nA: service { b: B; c: C; }\nB: service { a: «A»; }\nC: service { a: «A»; me: «C»; }',
      'reference-cycle',
      'reference-cycle',
      'reference-cycle',
    )
  })
  test('@serverSet on one breaks the cycle', () => {
    expectDiagnostics('P: project {}\nA: service { b: B @serverSet; }\nB: service { a: A; c: B @server; }')
  })
  test('structs: siblings form cycles, the parent does not', () => {
    expectInService('T: struct { u: U; home: Home; } U: struct { t: «T»; }', 'reference-cycle')
    expectInService('T: struct { t: «T»; }', 'reference-cycle')
  })
  test('a chain of thousands is checked, and a long cycle is truncated', () => {
    const chain = Array.from({ length: 3000 }, (_, i) => `A${i}: service { next: A${i + 1}; }`).join('\n')
    expectDiagnostics(`P: project {}\n${chain}\nA3000: service {}`)
    const [found] = expectDiagnostics(
      `P: project {}\n${chain}\nA3000: service { next: «A0»; }`,
      'reference-cycle',
    )
    expect(found?.message).toContain('A0 → A1 → A2 → A3 → A4 → A5 → A6 → A7 → … → A0')
  })
})

test('the new name of a service is suggested for each of its references', () => {
  const services = Array.from({ length: 1000 }, (_, index) => `Team${index}: service { member: Member; }`)
  const text = `Club: project {}\n${services.join('\n')}\nMembers: service { name: string; }`
  const { diagnostics } = checkText(text)
  expect(diagnostics).toHaveLength(1000)
  expect(new Set(diagnostics.map(({ data }) => data?.replacement))).toEqual(new Set(['Members']))
})
