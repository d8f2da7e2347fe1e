import { describe, expect, test } from 'vitest'
import { checkText } from '../../src/language/parse.ts'
import { expectDiagnostics, expectInService } from '../host.ts'

describe('an invalid declaration causes one diagnostic, and the rest is checked', () => {
  test.each([
    ['no colon', 'a«» int(5);', 'missing-token'],
    ['no type', 'a: «;»', 'unexpected-token'],
    ['no type before the next line', 'a:«»\nb: int;', 'unexpected-token'],
    ['no colon and no type', 'a«;»', 'unexpected-token'],
    ['a name on a line of its own', 'a«»\nb: int;', 'unexpected-token'],
    ['two names', 'a «b»: int;', 'unexpected-token'],
    ['a name that is a modifier elsewhere', 'public«» bool;', 'missing-token'],
    ['no `)`', 'a: int(5«»;', 'missing-token'],
    ['no `)` before the next line', 'a: int(5«»\nb: int;', 'missing-token'],
    ['no `,`', 'a: int(5«» 1);', 'missing-token'],
    ['two commas', 'a: int(5,«,» 1);', 'unexpected-token'],
    ['no `,` before a named argument', 'a: int(max: 5«» min: 1) @unique;', 'missing-token'],
    ['a name twice', '#readable(by«» by: all);', 'missing-token'],
    ['no value before a named argument', 'a: int(max: «,» min: 1);', 'unexpected-token'],
    ['no `:` after the name of an argument', 'a: int(max«» 5, min: 1);', 'missing-token'],
    ['a `;` for a `,`', 'a: int(5«;» 1);', 'unexpected-token'],
    ['a `;` before the bracket', '#omit[create«;»]', 'unexpected-token'],
    ['a `;` for a `:`', 'a«;» int(5, 1);', 'unexpected-token'],
    ['a `=` for a `:`', 'a «=» int(5, 1);', 'unexpected-token'],
    ['a `?` after the name', 'a«?»: int(5, 1);', 'unexpected-token'],
    ['a `?` before the arguments', 'a: int?«(»5, 1);', 'unexpected-token'],
    ['a `?` after an annotation', 'a: int @unique«?»;', 'unexpected-token'],
    ['a default without a value', 'a: int =«;»', 'unexpected-token'],
    ['a default without a value before the next line', 'a: int =«»\nb: int;', 'unexpected-token'],
    ['a default after an annotation', 'a: int @unique «=» 5;', 'unexpected-token'],
    ['a `?` after the default', 'a: int = 5«?»;', 'unexpected-token'],
    ['a list as the default', 'a: int = «[»5];', 'unexpected-token'],
    ['a default that is not closed', 'a: string = «"»NL;', 'unexpected-character'],
    ['single quotes', "a: string = «'»NL';", 'unexpected-character'],
    ['a name twice at its beginning', 'a «a»: int(5);', 'unexpected-token'],
    ['a `{` in it', 'a: int(«{» 5);', 'unexpected-token'],
    ['a `{` after it', 'a: int(5)«{»;', 'unexpected-token'],
    ['a `{` before it', '«{» a: int(5);', 'unexpected-token'],
    ['a `}` in it', 'a: «}» int(5);', 'unexpected-token'],
    ['no value', 'a: int(max: «)»;', 'unexpected-token'],
    ['no `]`', '#omit[create«»;', 'missing-token'],
    ['no `,` in a list', '#omit[create«» delete];', 'missing-token'],
    ['`@` without a name', 'a: int @«;»', 'unexpected-token'],
    ['`#` without a name', '#«;»', 'unexpected-token'],
    ['an annotation without `@`', 'a: int «unique»;', 'unexpected-token'],
    ['words after it', 'a: int «not» null default 5;', 'unexpected-token'],
    ['a comma at its end', 'a: int«,» b: int;', 'unexpected-token'],
    ['quotes', 'a: string(«"5"») "x";', 'unexpected-token'],
    ['characters of other languages', 'a: int = 5 «+» ?;', 'unexpected-character'],
    ['arguments after an annotation', 'a: int @unique«(5, [6])»;', 'surplus-argument'],
    ['only brackets', '«)» ] ( ;', 'unexpected-token'],
    ['a star', '«*»;', 'unexpected-character'],
  ] as const)('%s', (_, member, code) => {
    const [found] = expectInService(`${member}\nz: «Hsot»;`, code, 'unknown-type')
    expect(found?.range.start.line).toBeLessThan(6)
  })

  test('lines of names and types are attributes, whatever their signs', () => {
    expectInService(
      'a«» String\nb«» int?\nc: string(80)«»\nd«» Z @unique\n@server; e: «Hsot»;',
      'missing-token',
      'missing-token',
      'missing-semicolon',
      'missing-token',
      'unknown-type',
    )
  })

  test('the syntax of other languages is recognized', () => {
    const helps = (text: string, ...codes: Parameters<typeof expectInService>[1][]): (string | undefined)[] =>
      expectInService(text, ...codes).map(({ help }) => help)
    expect(helps('«string name»;', 'unexpected-token')).toEqual(['write `name: string`'])
    expect(helps('#language«:» go;', 'unexpected-token')[0]).toContain('#language(typescript)')
    expect(helps('#readable «by» all;', 'unexpected-token')[0]).toContain('#readable(by: this)')
    expect(helps('a: Home«.»Photo;', 'unexpected-character')).toEqual([
      'names are written without the service that they belong to',
    ])
    expect(helps('#omit «room»;', 'unexpected-token')).toEqual(['for example `#omit[create]`'])
    expect(
      helps(
        'a: float(«0.0..1.0»);\n«--» a comment\n# «comment»\nb: int;',
        'invalid-number',
        'unexpected-character',
        'unknown-metadata',
      ),
    ).toEqual([
      'bounds are arguments of the type, for example `int(max: 40, min: 1)`',
      'comments begin with `//`',
      'comments begin with `//`',
    ])
    expect(expectInService('a: string«[»];', 'unexpected-token')[0]).toMatchObject({
      message: 'Lists are not supported',
      help: 'declare a struct, with one entry for each item',
    })
    expect(expectInService('a: string(5 «M»);', 'unexpected-token')[0]?.message).toBe(
      'Unexpected space before `M`',
    )
    expectInService('«"a"»: string;\nb: «"x"» | "y";', 'unexpected-token', 'unexpected-token')
    const found = expectDiagnostics(
      '«project P» {}\n«service A» { x: B; «struct T» { y: A; } }\n«class B» extends C { a: A @server; }',
      'unexpected-token',
      'unexpected-token',
      'unexpected-token',
      'unexpected-token',
    )
    expect(found.map(({ data }) => data?.replacement)).toEqual([
      'P: project',
      'A: service',
      'T: struct',
      'B: service',
    ])
  })

  test('an invalid declaration has no other diagnostics', () => {
    expectInService('Bad_name«(»x: nothing) @odd; b«» Odd(1, 2, 3) @x;', 'unexpected-token', 'missing-token')
  })

  test('a missing `;` keeps the rest of the declaration checked', () => {
    expectInService(
      'a: «txt»«»\nb: int @unique«»\n#enumerable«»\nc: «txt»',
      'unknown-type',
      'missing-semicolon',
      'missing-semicolon',
      'missing-semicolon',
      'unknown-type',
    )
    expectInService('a: int«» b: int«» #enumerable', 'missing-semicolon', 'missing-semicolon')
  })
})

describe('broken blocks', () => {
  const rest = '\nP: project {}\nZ: service { z: «Hsot»; }\nHost: service {}'

  test.each([
    ['no colon', 'A«» service { a: int; }', 'missing-token'],
    ['no kind', 'A:«» { a: int; }', 'missing-token'],
    ['no colon and no kind', 'A«» { a: int; }', 'missing-token'],
    ['no `{`', 'A: service«» a: int; b: int; }', 'missing-token'],
    ['no body', 'A: service«»;', 'missing-token'],
    ['no name', '«:» service { a: int; }', 'unexpected-token'],
    ['too many words', 'A: service «extends» B { a: int; }', 'unexpected-token'],
    ['a number before it', '«5» A: service { a: int; }', 'unexpected-token'],
    ['a `;` for its `:`', 'A«;» service { a: int; }', 'unexpected-token'],
    ['a `(` for its `{`', 'A: service «(»\n a: int; b: int;\n}', 'unexpected-token'],
    ['a `[` for its `{`', 'A: service «[»\n #enumerable;\n}', 'unexpected-token'],
    ['a `)` for its `}`', 'A: service {\n a: int;\n«)»', 'unexpected-token'],
    ['a `}` in its head', 'A«}»: service { a: int; }', 'unexpected-token'],
    ['two `{`', 'A: service { «{»\n a: int;\n}', 'unexpected-token'],
    ['a `}` too many', 'A: service { a: int; } }', undefined],
  ] as const)('%s', (_, head, code) => {
    if (code === undefined)
      expectDiagnostics(`A: service { a: int; } «}»${rest}`, 'unexpected-token', 'unknown-type')
    else expectDiagnostics(`${head}${rest}`, code, 'unknown-type')
  })

  test('its name can be referred to', () => {
    expectDiagnostics(
      'P: project {}\nHost«» service {}\nA: service { host: Host; #uses[Host]; }',
      'missing-token',
    )
    expectDiagnostics('P: project {}\nHost «=» service {}\nA: service { host: Host; }', 'unexpected-token')
    expectDiagnostics('P: project {}\nHost: service «(»1) {}\nA: service { host: Host; }', 'unexpected-token')
  })

  test('the correct text is offered', () => {
    const suggested = (text: string): unknown[] => checkText(text).diagnostics.map(({ data }) => data)
    expect(
      suggested('P; project {}\nS: service (\n a: int(max 5);\n b: int(min = 5);\n c: int(5,, 1);\n}'),
    ).toEqual([
      { replacement: ':' },
      { replacement: '{' },
      { insertion: ':' },
      { replacement: ':' },
      { replacement: '' },
    ])
    expect(suggested('P: project {}\nS: service {\n a: int;\n]\nT: service {}')).toEqual([
      { replacement: '}' },
    ])
  })

  test('a declaration that a syntax error may have hidden is not reported as missing', () => {
    expectDiagnostics(
      'P: project {}\n«:» service {}\nA: service { a: Lost; #uses[Lost]; }',
      'unexpected-token',
    )
    expectDiagnostics(
      'P: project {}\nA: service { T: «:» struct {} U: struct { t: T; } }',
      'unexpected-token',
    )
    expectDiagnostics(
      'P: project { «authMethod»(email); #readable(by: all); }\nU: service { #auth; #readable(by: all); }',
      'unexpected-token',
    )
    expectDiagnostics(
      'P: project { #authMethod(email); #readable«:» all; }\nU: service { #auth; #readable(by: this); }\nS: service { #readable(by: this); }',
      'unexpected-token',
    )
    expectDiagnostics('«:» project {}\nS: service {}', 'unexpected-token')
    expectDiagnostics('P: project {}\n«:» service {}', 'unexpected-token')
    expectDiagnostics(
      'P: project {}\nHost«,» service {}\nA: service { host: Host; #uses[Host]; }',
      'unexpected-token',
    )
    expectDiagnostics('P: project { #authMethod(«»; }\nA: service { #auth; }', 'missing-token')
    expectDiagnostics(
      'P: project { #«(»authMethod); }\nA: service { #auth; #readable(by: this); }',
      'unexpected-token',
    )
    expectDiagnostics('P: project { #authMethod(email); }\nA: service { #«:»auth; }', 'unexpected-token')
  })

  test('a block that is not closed before the next one', () => {
    expectDiagnostics(
      'P: project {}\n«A»: service {\n  a: int;\nB: service {\n  a: A;\n  x: «odd»;\n}\n',
      'unclosed-block',
      'unknown-type',
    )
  })
  test('a struct that is not closed, found by its indentation', () => {
    const [found] = expectDiagnostics(
      'P: project {}\nA: service {\n  «T»: struct {\n    x: int;\n  #readable(by: all);\n}\nB: service {}\n',
      'unclosed-block',
    )
    expect(found?.message).toBe('Missing `}` to close `T`')
    expectDiagnostics(
      'P: project {}\nA: service {\n  «T»: struct {\n    x: int;\n  U: struct { y: int; }\n}\n',
      'unclosed-block',
    )
  })
  test('the text ends', () => {
    expectDiagnostics('P: project {}\n«A»: service { a: int', 'unclosed-block')
    expectDiagnostics('P: project {}\n«A»: service { a: int(', 'unclosed-block')
    expectDiagnostics('P: project {}\nA: service { «T»: struct { a', 'unclosed-block')
    expectDiagnostics('P: project {}\nA: service {}\na«»', 'unexpected-token')
  })
  test('a block that is closed too early', () => {
    expectDiagnostics(
      'P: project {}\nA: service { a: int; }\n b: int;\n T: struct {}\n #enumerable;\n«}»',
      'unexpected-token',
    )
  })
  test('a comment that does not end', () => {
    expectDiagnostics('P: project {}\nA: service { a: int; «/*» b: txt; }', 'unterminated-comment')
    expectDiagnostics('P: project {}\nA: service {}\n«/*»/', 'unterminated-comment')
  })
  test('text without any block causes only syntax errors', () => {
    expectDiagnostics('hello«,» world!', 'unexpected-token')
    expectDiagnostics('«!»', 'unexpected-character')
  })
})

describe('text', () => {
  test('columns count code points from 1, a byte order mark has none', () => {
    const places = (text: string): [number, number][] =>
      checkText(text).diagnostics.map(({ range }) => [range.start.line, range.start.column])
    expect(places('\ufeffp: project {} S: service {}')).toEqual([[1, 1]])
    expect(places('/* 😀 */ p: project {} S: service {}')).toEqual([[1, 9]])
    expect(places('P: project {}\r\n\rS: service {\n\t/*é😀\ud800*/a: x;}')).toEqual([[4, 12]])
  })
  test('every kind of line ending ends a line comment', () => {
    expectDiagnostics('P: project {} // x\rS: service {} // y\r\n// z')
  })
  test('white space is not significant', () => {
    expectDiagnostics(
      'P\n:\u00a0project\u2003{\n}S:service{a\n:\nint\n(\nmax\n:\n5\n,\nmin\n:\n1\n)\n@\nunique\n;#\nomit\n[\ndelete\n,\n]}',
    )
  })
  test('comments are not nested and are allowed anywhere', () => {
    expectDiagnostics('P/*a*/:/**/project/***/{/* /* */}S: service { a: /** b */ int ( // c\n 5 ); }')
  })
  test('`;` is optional after blocks and at the end of a block', () => {
    expectDiagnostics('P: project { #language(go) };\nS: service { a: int; #omit([create]) };')
    expectDiagnostics('P: project {};;\nS: service { ; a: int;; T: struct { b: int }; }')
  })
  test('invisible characters are named in messages', () => {
    const messages = checkText(
      'P: project {} S: service { a: i\u200bnt; b: int\u0000; c: \u202e; }',
    ).diagnostics.map(({ message }) => message)
    expect(messages.join('\n')).toContain('`U+200B`')
    expect(messages.join('\n')).toContain('`U+0000`')
    for (const hidden of ['\u0000', '\u200b', '\u202e']) expect(messages.join('\n')).not.toContain(hidden)
  })
})
