import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectInService } from '../../host.ts'

const definition = (...blocks: string[]): string => ['P: project {}', ...blocks].join('\n')

describe('`@was`', () => {
  test('names an attribute that the block no longer has', () => {
    expectInService('nightlyRate: float @was(rate) @unique; beds: int @server @was(rooms);')
    expectInService('rate: float; T: struct { nightlyRate: float @was(rate); }')
  })
  describe('of the values of an `enum`', () => {
    const state = 'state: enum(pending, 2xl, done)'

    test('names values that it no longer has, with or without the former name of the attribute', () => {
      expectInService(`${state} = pending @was(pending: waiting, 2xl: xxl);`)
      expectInService(`${state} @was(status, pending: waiting) @unique;`)
    })
    test('only values that it has', () => {
      const found = expectInService(
        `${state} @was(«pendign»: waiting); other: enum(a, b) @was(«c: a»);`,
        'unknown-value',
        'unknown-value',
      )
      expect(found.map(({ help, data }) => [help, data?.replacement])).toEqual([
        ['did you mean `pending`?', 'pending'],
        ['write the new value first', 'a: c'],
      ])
    })
    test('no former ones that it still has', () => {
      const found = expectInService(
        `${state} @was(pending: «done», 2xl: «2xl»);`,
        'former-name-in-use',
        'former-name-in-use',
      )
      expect(found.map(({ message }) => message)).toEqual([
        '`done` is still declared',
        '`2xl` is the current name',
      ])
    })
    test('each of them once', () => {
      expectInService(
        `${state} @was(pending: a, «pending»: b, done: «a»);`,
        'duplicate-argument',
        'duplicate-former-name',
      )
    })
    test('only words', () => {
      expectInService(`${state} @was(pending: «-5»);`, 'invalid-enum-value')
      expectInService(`${state} @was(pending: «[a]»);`, 'invalid-enum-value')
    })
    test('not of other types', () => {
      const [found] = expectInService('rooms: int @was(«oldName: beds»);', 'unknown-argument')
      expect(found?.data?.replacement).toBe('beds')
    })
    test('after the former name of the attribute', () => {
      expectInService(`${state} @was(pending: waiting, «status»);`, 'positional-after-named')
    })
  })

  test('one that is still declared', () => {
    const [found] = expectInService('a: int @was(«b»); b: int;', 'former-name-in-use')
    expect(found?.message).toBe('`b` is still declared')
    expect(found?.related[0]?.message).toBe('declared here')
  })
  test('its own name, also as a column', () => {
    const found = expectInService(
      'a: int @was(«a»); homeURL: int @was(«homeUrl»);',
      'former-name-in-use',
      'former-name-in-use',
    )
    expect(found.map(({ message }) => message)).toEqual([
      '`a` is the current name',
      '`homeUrl` and `homeURL` have the same name in the database',
    ])
  })
  test('the implicit id', () => {
    expectInService('a: int @was(«id»);', 'former-name-in-use')
  })
  test('two attributes exchange their names', () => {
    expectInService('a: int @was(«b»); b: int @was(«a»);', 'former-name-in-use', 'former-name-in-use')
  })
  test('one name twice in a block', () => {
    expectInService(
      'a: int @was(c); b: int @was(«c»); T: struct { a: int @was(c); }',
      'duplicate-former-name',
    )
  })
  test('a name in the wrong style', () => {
    const [found] = expectInService('a: int @was(«nightly_rate»);', 'invalid-former-name')
    expect(found?.data?.replacement).toBe('nightlyRate')
  })
  test('not for attributes that are not stored', () => {
    expectInService('a: int @was(b) @«client»; c: int @client @«was»(d);', 'was-client', 'was-client')
    expectInService('a: int @was(b) @«client» @unique;', 'was-client')
  })
  test('twice on an attribute', () => {
    expectInService('a: int @was(b) @«was»(c);', 'duplicate-annotation')
  })
  test('without a name, or with something else', () => {
    const found = expectInService(
      'a: int @«was»; b: int @«was»(); c: int @was(«5»); d: int @was(«[e]»);',
      ...(['missing-value', 'missing-value', 'wrong-argument-kind', 'wrong-argument-kind'] as const),
    )
    expect(found[0]?.help).toBe('for example `@was(oldName)`')
    expect(found[2]?.message).toBe('`oldName` must be a name')
  })
  test('with too many or unknown arguments', () => {
    expectInService('a: int @was(b, «c»); d: int @was(«old: e»);', 'surplus-argument', 'unknown-argument')
  })
  test('without parentheses', () => {
    for (const written of ['@was «rate»', '@was«[»rate]']) {
      const [found] = expectInService(`a: int ${written};`, 'unexpected-token')
      expect(found?.help).toBe('for example `@was(oldName)`')
    }
  })
  test('other annotations take no value', () => {
    const [found] = expectInService('a: int @unique«(b)»; c: int @server();', 'surplus-argument')
    expect(found?.message).toBe('`@unique` takes no value')
  })
})

describe('`#was`', () => {
  test('names a service or struct that the definition no longer has', () => {
    expectDiagnostics(definition('Home: service { Photo: struct { #was(oldName: Picture); } #was(House); }'))
  })
  test('one that is still declared, whatever it is', () => {
    expectDiagnostics(
      definition('Home: service { #was(«Host»); }', 'Host: service { Photo: struct { #was(«Home»); } }'),
      'former-name-in-use',
      'former-name-in-use',
    )
  })
  test('the name of a schema that is taken', () => {
    expectDiagnostics(
      definition('Home: service { #was(House); }', '«HouseDb»: service {}'),
      'reserved-service-name',
    )
    const [found] = expectDiagnostics(
      'P: project { #authMethod(email); }\nUser: service { #auth; }\n«Account»: service { #was(Auth); }',
      'reserved-service-name',
    )
    expect(found?.help).toBe(
      'the directory `auth-db` contains the authentication service; rename the service',
    )
    expectDiagnostics(definition('Home: service { #was(House); }', 'HomeDb: service {}'))
  })
  test('of a service is not to be removed', () => {
    const helpOf = (...blocks: string[]) =>
      expectDiagnostics(definition(...blocks), 'former-name-in-use')[0]?.help
    expect(helpOf('Home: service { #was(«House»); }', 'House: service {}')).toBe('rename one of the two')
    expect(helpOf('Home: service { Photo: struct { #was(«Picture»); } Picture: struct {} }')).toBe(
      'rename one of the two, or remove `#was` if a migration contains the new name',
    )
  })
  test('its own name', () => {
    const [found] = expectDiagnostics(definition('Home: service { #was(«Home»); }'), 'former-name-in-use')
    expect(found?.help).toBe('remove `#was`')
  })
  test('one name twice in the definition', () => {
    expectDiagnostics(
      definition('Home: service { #was(House); }', 'Host: service { Photo: struct { #was(«House»); } }'),
      'duplicate-former-name',
    )
  })
  test('a name in the wrong style', () => {
    const [found] = expectDiagnostics(definition('Home: service { #was(«house»); }'), 'invalid-former-name')
    expect(found?.data?.replacement).toBe('House')
  })
  test('in a project', () => {
    expectDiagnostics('P: project { #«was»(Q); } Home: service {}', 'misplaced-metadata')
  })
  test('without a name, or with something else', () => {
    const found = expectDiagnostics(
      definition('A: service { #«was»; }', 'B: service { #was«[C]»; }', 'D: service { #was(«5»); }'),
      'missing-value',
      'wrong-argument-kind',
      'wrong-argument-kind',
    )
    expect(found[0]?.help).toBe('for example `#was(OldName)`')
    expect(found[1]?.data?.replacement).toBe('(C)')
  })
})
