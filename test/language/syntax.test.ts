import { describe, expect, test } from 'vitest'
import { checkText } from '../../src/language/parse.ts'
import { expectDiagnostics, expectInService } from '../host.ts'

describe('a broken declaration costs one diagnostic, and the rest is checked', () => {
  test.each([
    ['no colon', 'a«» int(5);', 'missing-token'],
    ['no type', 'a: «;»', 'unexpected-token'],
    ['no type before the next line', 'a:\n«b»: int;', 'unexpected-token'],
    ['no colon and no type', 'a«;»', 'unexpected-token'],
    ['a name alone in its line', 'a\n«b»: int;', 'unexpected-token'],
    ['two names', 'a «b»: int;', 'unexpected-token'],
    ['no `)`', 'a: int(5«»;', 'missing-token'],
    ['no `)` before the next line', 'a: int(5«»\nb: int;', 'missing-token'],
    ['no `,`', 'a: int(5«» 1);', 'missing-token'],
    ['two commas', 'a: int(5,«,» 1);', 'unexpected-token'],
    ['no `,` before a named argument', 'a: int(max: 5«» min: 1) @unique;', 'missing-token'],
    ['a name twice', '#readable(by«» by: all);', 'missing-token'],
    ['no value before a named argument', 'a: int(max: «,» min: 1);', 'unexpected-token'],
    ['no `:` behind the name of an argument', 'a: int(max«» 5, min: 1);', 'missing-token'],
    ['a `;` for a `,`', 'a: int(5«»; 1);', 'missing-token'],
    ['a `;` before the bracket', '#omit[create«»;]', 'missing-token'],
    ['a `;` for a `:`', 'a«;» int(5, 1);', 'unexpected-token'],
    ['a `=` for a `:`', 'a «=» int(5, 1);', 'unexpected-character'],
    ['a name twice at its beginning', 'a «a»: int(5);', 'unexpected-token'],
    ['a `{` in it', 'a: int(«{» 5);', 'unexpected-token'],
    ['a `{` behind it', 'a: int(5)«{»;', 'unexpected-token'],
    ['a `{` before it', '«{» a: int(5);', 'unexpected-token'],
    ['a `}` in it', 'a: «}» int(5);', 'unexpected-token'],
    ['no value', 'a: int(max: «)»;', 'unexpected-token'],
    ['no `]`', '#omit[create«»;', 'missing-token'],
    ['no `,` in a list', '#omit[create«» delete];', 'missing-token'],
    ['`@` without a name', 'a: int @«;»', 'unexpected-token'],
    ['`#` without a name', '#«;»', 'unexpected-token'],
    ['an annotation without `@`', 'a: int «unique»;', 'unexpected-token'],
    ['words behind it', 'a: int «not» null default 5;', 'unexpected-token'],
    ['a comma at its end', 'a: int«,» b: int;', 'unexpected-token'],
    ['quotes', 'a: string(«"»5") "x";', 'unexpected-character'],
    ['characters of other languages', 'a: int «=» 5 + ?;', 'unexpected-character'],
    ['arguments behind an annotation', 'a: int @unique«(»5, [6]);', 'unexpected-token'],
    ['brackets alone', '«)» ] ( ;', 'unexpected-token'],
    ['a star', '«*»;', 'unexpected-character'],
  ] as const)('%s', (_, member, code) => {
    const [found] = expectInService(`${member}\nz: «Hsot»;`, code, 'unknown-type')
    expect(found?.range.start.line).toBeLessThan(6)
  })

  test('what other languages have is told apart', () => {
    const messages = (text: string, ...codes: Parameters<typeof expectInService>[1][]): string[] =>
      expectInService(text, ...codes).map(({ message }) => message)
    expect(messages('«string name»;', 'unexpected-token')).toEqual([
      'The name comes first: write `name: string`.',
    ])
    expect(messages('#language«:» go;', 'unexpected-token')[0]).toContain('in brackets')
    expect(messages('#readable «by» all;', 'unexpected-token')[0]).toContain('in brackets')
    expect(
      messages(
        'a: float(«0.0..1.0»);\n«--» a comment\n# «comment»\nb: int;',
        'invalid-number',
        'unexpected-character',
        'unknown-metadata',
      ),
    ).toHaveLength(3)
    expectInService('«"»a": string;\nb: «"»x" | "y";', 'unexpected-character', 'unexpected-character')
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

  test('of what is broken nothing else is said', () => {
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
    expectDiagnostics(
      'P: project {}\nHost «=» service {}\nA: service { host: Host; }',
      'unexpected-character',
    )
    expectDiagnostics('P: project {}\nHost: service «(»1) {}\nA: service { host: Host; }', 'unexpected-token')
  })

  test('what is written instead is offered', () => {
    const mends = (text: string): unknown[] => checkText(text).diagnostics.map(({ data }) => data)
    expect(
      mends('P; project {}\nS: service (\n a: int(max 5);\n b: int(min = 5);\n c: int(5,, 1);\n}'),
    ).toEqual([
      { replacement: ':' },
      { replacement: '{' },
      { insertion: ':' },
      { replacement: ':' },
      { replacement: '' },
    ])
    expect(mends('P: project {}\nS: service {\n a: int;\n]\nT: service {}')).toEqual([{ replacement: '}' }])
  })

  test('what a syntax error may have swallowed is not missed', () => {
    expectDiagnostics(
      'P: project {}\n«:» service {}\nA: service { a: Lost; #uses[Lost]; }',
      'unexpected-token',
    )
    expectDiagnostics(
      'P: project {}\nA: service { T: «:» struct {} U: struct { t: T; } }',
      'unexpected-token',
    )
    expectDiagnostics(
      'P: project { authMethod«(»email); #readable(by: all); }\nU: service { #auth; #readable(by: all); }',
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
    expectDiagnostics(
      'P: project { #authMethod«;» }\nA: service { #auth; }'.replace('«;»', '(«;»'),
      'unexpected-token',
    )
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
    expect(found?.message).toBe('The block `T` is not closed. Insert `}` before `}`.')
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
  test('text without any block is garbage, and nothing else', () => {
    expectDiagnostics('hello«,» world!', 'unexpected-token')
    expectDiagnostics('«?»', 'unexpected-character')
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
  test('line ends of every kind end a line comment', () => {
    expectDiagnostics('P: project {} // x\rS: service {} // y\r\n// z')
  })
  test('white space never matters', () => {
    expectDiagnostics(
      'P\n:\u00a0project\u2003{\n}S:service{a\n:\nint\n(\nmax\n:\n5\n,\nmin\n:\n1\n)\n@\nunique\n;#\nomit\n[\ndelete\n,\n]}',
    )
  })
  test('comments are not nested and stand anywhere', () => {
    expectDiagnostics('P/*a*/:/**/project/***/{/* /* */}S: service { a: /** b */ int ( // c\n 5 ); }')
  })
  test('`;` is optional where the language says so', () => {
    expectDiagnostics('P: project { #language(go) };\nS: service { a: int; #omit([create]) };')
    expectDiagnostics('P: project {};;\nS: service { ; a: int;; T: struct { b: int }; }')
  })
  test('what cannot be seen is named in messages', () => {
    const messages = checkText(
      'P: project {} S: service { a: i\u200bnt; b: int\u0000; c: \u202e; }',
    ).diagnostics.map(({ message }) => message)
    expect(messages.join('\n')).toContain('`U+200B`')
    expect(messages.join('\n')).toContain('`U+0000`')
    for (const hidden of ['\u0000', '\u200b', '\u202e']) expect(messages.join('\n')).not.toContain(hidden)
  })
})
