import { describe, expect, test } from 'vitest'
import {
  type DocumentSymbol,
  DocumentFormattingRequest,
  DocumentLinkRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  type SelectionRange,
  SelectionRangeRequest,
  ShowMessageNotification,
} from 'vscode-languageserver-protocol/node'
import { cursorIn } from './harness.ts'
import { serverOfFile } from './server-of-file.ts'

const client = await serverOfFile()

const OPTIONS = { tabSize: 2, insertSpaces: true }

test('outlines blocks, attributes and metadata', async () => {
  const uri = await client.open(
    'P: project { #authMethod(email); }\nHome: service {\n  beds: int(4) @unique;\n  Photo: struct { home: Home; }\n}\nstray: int;',
  )
  const lines = (symbols: readonly DocumentSymbol[], indent = ''): string[] =>
    symbols.flatMap((symbol) => {
      expect(symbol.range.start.line).toBeLessThanOrEqual(symbol.selectionRange.start.line)
      const { name, kind, detail, selectionRange, children = [] } = symbol
      const at = client.textAt(uri, selectionRange)
      return [`${indent}${name} ${kind} ${detail ?? ''} <${at}>`, ...lines(children, `${indent}  `)]
    })
  const symbols = await client.request(DocumentSymbolRequest.type, { textDocument: { uri } })
  expect(lines((symbols ?? []) as DocumentSymbol[])).toEqual([
    'P 4 project <P>',
    '  #authMethod 20  <authMethod>',
    'Home 5 service <Home>',
    '  beds 8 int(4) @unique <beds>',
    '  Photo 23 struct <Photo>',
    '    home 11 Home <home>',
    'stray 8 int <stray>',
  ])
})

test('outlines what an edit has changed or moved', async () => {
  const symbolsOf = (uri: string) => client.request(DocumentSymbolRequest.type, { textDocument: { uri } })
  const text =
    'P: project { #authMethod(email); }\n\nHome: service {\n  beds: int;\n}\nPhoto: service { \n  home: Home;\n}\n'
  const uri = await client.open(text)
  const before = await symbolsOf(uri)
  expect(await symbolsOf(uri)).toEqual(before)
  const edits: readonly [what: string, by: string][] = [
    ['P: project', '\n/// One\n/// two\nP: project'],
    ['beds: int;', 'größe: string(\n    80, 1);\n  beds: int;'],
    ['}\nPhoto', '} Photo'],
    ['\n} Photo', '\n  } Photo'],
    ['} Photo', '}\nPhoto'],
    ['home: Home;', 'home: '],
    ['\n/// One\n', ''],
  ]
  for (const [what, by] of edits) {
    const at = client.document(uri).getText().indexOf(what)
    await client.edit(uri, by, at, at + what.length)
    const fresh = await client.open(client.document(uri).getText())
    const symbols = await symbolsOf(uri)
    expect(symbols).toHaveLength(3)
    expect(symbols).toEqual(await symbolsOf(fresh))
    await client.close(fresh)
  }
})

test('folds blocks, lists and comments', async () => {
  const uri = await client.open(`/// One
/// two
/// three
Home: service {
  /* a
     b */
  #omit[
    create,
    delete,
  ];
  a: int; // one
  b: int; // another

  Photo: struct {
    c: int;
  }
}
Short: service { }
`)
  const folds = await client.request(FoldingRangeRequest.type, { textDocument: { uri } })
  const shown = folds?.map(({ startLine, endLine, kind }) => `${startLine}-${endLine} ${kind ?? 'block'}`)
  expect(shown?.toSorted()).toEqual(['0-2 comment', '13-14 block', '3-15 block', '4-5 comment', '6-8 block'])
})

test('widens a selection step by step', async () => {
  const { text, offset } = cursorIn('P: project {}\nHome: service { beds: int(max: 4‸0, min: 1); a: int; }')
  const uri = await client.open(text)
  const { position } = client.at(uri, offset)
  const found = await client.request(SelectionRangeRequest.type, {
    textDocument: { uri },
    positions: [position],
  })
  const steps: string[] = []
  for (let at: SelectionRange | undefined = found?.[0]; at !== undefined; at = at.parent)
    steps.push(client.textAt(uri, at.range))
  expect(steps).toEqual([
    '40',
    'max: 40',
    'max: 40, min: 1',
    '(max: 40, min: 1)',
    'int(max: 40, min: 1)',
    'beds: int(max: 40, min: 1)',
    'beds: int(max: 40, min: 1);',
    ' beds: int(max: 40, min: 1); a: int; ',
    'Home: service { beds: int(max: 40, min: 1); a: int; }',
    'P: project {}\nHome: service { beds: int(max: 40, min: 1); a: int; }',
  ])
})

describe('lays out', () => {
  const layOut = (uri: string) =>
    client.request(DocumentFormattingRequest.type, { textDocument: { uri }, options: OPTIONS })
  const UNTIDY = 'P:project{}\nHome: service {\na:int;\n  b:   int  ;\n}\n'
  test('a whole text, line by line', async () => {
    const uri = await client.open(UNTIDY)
    const edits = await layOut(uri)
    expect(client.applied(uri, edits ?? [])).toBe(
      'P: project {}\n\nHome: service {\n  a: int;\n  b: int;\n}\n',
    )
    expect(edits?.every(({ range }) => range.start.line !== 1)).toBe(true)
  })

  test('the lines of a range', async () => {
    const uri = await client.open(UNTIDY)
    const range = { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } }
    const params = { textDocument: { uri }, options: OPTIONS, range }
    const edits = await client.request(DocumentRangeFormattingRequest.type, params)
    expect(client.applied(uri, edits ?? [])).toContain('\n  b: int;\n}')
    expect(client.applied(uri, edits ?? [])).toContain('P:project{}')
  })

  test('only the lines of a range, however many others are untidy', async () => {
    const service = (name: string): string =>
      `${name}: service {\n${Array.from({ length: 300 }, (_, index) => `a${index}:int;`).join('\n')}\n}\n`
    const text = `P:project{}\n${service('A')}${service('B')}`
    const uri = await client.open(text)
    const line = text.split('\n').indexOf('a7:int;')
    const range = { start: { line, character: 1 }, end: { line: line + 1, character: 2 } }
    const params = { textDocument: { uri }, options: OPTIONS, range }
    const edits = await client.request(DocumentRangeFormattingRequest.type, params)
    expect(client.applied(uri, edits ?? [])).toBe(text.replace('a7:int;\na8:int;', '  a7: int;\n  a8: int;'))
  })

  test.each([
    [';', 'P: project {}\n\nHome: service {\n  a:int;‸\n    b:int;\n}\n', '  a: int;\n    b:int;'],
    ['}', 'P: project {}\nHome: service {\na:int;\n    b:int;\n}‸\n', '  a: int;\n  b: int;\n}'],
  ])('what %j ends', async (ch, marked, expected) => {
    const { text, offset } = cursorIn(marked)
    const uri = await client.open(text)
    const params = { ...client.at(uri, offset), ch, options: OPTIONS }
    const edits = await client.request(DocumentOnTypeFormattingRequest.type, params)
    expect(client.applied(uri, edits ?? [])).toContain(expected)
  })

  // The layout moves `c` to the next line, and the line after it to the one before.
  test.each([
    'P: project {}\n\nHome: service {\n  a: int;\n  b: int; c: int;\n  d:\n  int;\n}\n',
    'P: project {}\n\nHome: service {\n  a:\n\n  int;\n  b: int;\n  c: int;    d: int;\n\n}\n',
  ])('no line without what moves to another one: %j', async (text) => {
    const uri = await client.open(text)
    const content = (each: string): string => each.replace(/\s/g, '')
    for (const line of text.split('\n').keys()) {
      const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } }
      const params = { textDocument: { uri }, options: OPTIONS }
      const ofRange = await client.request(DocumentRangeFormattingRequest.type, { ...params, range })
      expect(content(client.applied(uri, ofRange ?? []))).toBe(content(text))
      const position = range.start
      const onType = await client.request(DocumentOnTypeFormattingRequest.type, {
        ...params,
        position,
        ch: ';',
      })
      expect(content(client.applied(uri, onType ?? []))).toBe(content(text))
    }
  })

  test('nothing where the syntax is broken', async () => {
    const uri = await client.open('Home: service { a: ; ')
    expect(await layOut(uri)).toEqual([])
  })

  test('what is intact, and says once what is not', async () => {
    const shown: string[] = []
    const listener = client.connection.onNotification(ShowMessageNotification.type, ({ message }) => {
      shown.push(message)
    })
    const text = 'P: project {}\n\nA: service {\n  a int(;\n}\n\nB: service {\nb:int;\n}\n'
    const uri = await client.open(text)
    const format = async (): Promise<string> => client.applied(uri, (await layOut(uri)) ?? [])
    await client.request(DocumentOnTypeFormattingRequest.type, {
      ...client.at(uri, text.indexOf('b:int;') + 6),
      ch: ';',
      options: OPTIONS,
    })
    expect(shown).toEqual([])
    expect(await format()).toBe(text.replace('b:int', '  b: int'))
    await format()
    expect(shown).toEqual(['`A` has a syntax error and was not formatted'])
    await client.edit(uri, text.replace('b:int', 'b int('))
    await format()
    await client.edit(uri, text.replace('a int(', 'a: int'))
    await format()
    await client.edit(uri, text)
    await format()
    await client.edit(uri, '}\n')
    await format()
    expect(shown.slice(1)).toEqual([
      '`A` and `B` have syntax errors and were not formatted',
      '`A` has a syntax error and was not formatted',
      'Text with a syntax error was not formatted',
    ])
    listener.dispose()
  })

  test('lines that end in CRLF', async () => {
    const uri = await client.open('P: project {}\r\n\r\nHome: service {\r\na:int;\r\n}\r\n')
    const edits = await layOut(uri)
    expect(client.applied(uri, edits ?? [])).toBe(
      'P: project {}\r\n\r\nHome: service {\r\n  a: int;\r\n}\r\n',
    )
    expect(edits).toHaveLength(1)
  })

  test('a large text that differs everywhere', async () => {
    const members = Array.from({ length: 3000 }, (_, index) => `a${index}:int;`).join('\n')
    const uri = await client.open(`P: project {}\n\nHome: service {\n${members}\n}\n`)
    const edits = await layOut(uri)
    expect(client.applied(uri, edits ?? [])).toContain('  a2999: int;\n}\n')
  })
})

test('finds addresses in comments', async () => {
  const uri = await client.open(
    '// See https://example.com/a_(b). And (http://example.org/x?y=1#z), too.\nHome: service { /* https://example.net */ }',
  )
  const links = await client.request(DocumentLinkRequest.type, { textDocument: { uri } })
  expect(links?.map(({ target }) => target)).toEqual([
    'https://example.com/a_(b)',
    'http://example.org/x?y=1#z',
    'https://example.net',
  ])
  expect(links?.map(({ range }) => client.textAt(uri, range))).toEqual(links?.map(({ target }) => target))
})
