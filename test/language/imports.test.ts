import { describe, expect, test } from 'vitest'
import { hundred, inFiles } from '../../scripts/hundred-definition.ts'
import { compile } from '../../src/compile.ts'
import type { DefinitionFolder } from '../../src/language/imports.ts'
import { checkText, porticoServices } from '../../src/language/parse.ts'
import { brief, expectDiagnostics } from '../host.ts'

type Files = Readonly<Record<string, string>>

/** A folder whose definition is `shop.portico`. */
function folderOf(files: Files): DefinitionFolder {
  return { name: 'shop.portico', read: (path) => files[path] ?? { reason: 'no such file or directory' } }
}

const check = (files: Files) => checkText(files['shop.portico'] ?? '', folderOf(files))

const SHOP = 'Shop: project {\n  #authMethod(email);\n}\n\nItem: service {\n  seller: Member;\n}\n'
const PEOPLE = '/// Somebody.\nMember: service {\n  name: string(80);\n  #auth;\n}\n'

describe('a definition of several files', () => {
  test('has one set of names, whatever the order and folders', () => {
    const { ast, diagnostics, valid } = check({
      'shop.portico': `import "people/people.portico";\nimport "orders.portico";\n${SHOP}`,
      'people/people.portico': `import "../addresses.portico";\n${PEOPLE}`,
      'addresses.portico': 'Address: service { member: Member; }',
      'orders.portico': 'import "addresses.portico"\nOrder: service { item: Item; to: Address; }',
    })
    expect(diagnostics).toEqual([])
    expect(valid).toBe(true)
    expect(ast.members.map(({ name }) => name)).toEqual(['Shop', 'Item', 'Member', 'Address', 'Order'])
  })

  test('is the same as one file', () => {
    const text = hundred(100)
    const files = Object.fromEntries(inFiles(text, 20))
    const whole = compile(text)
    expect(whole.platform?.services).toHaveLength(100)
    expect(files['several.portico']).toContain('import "part-18.portico";')
    expect(compile(files['several.portico'] ?? '', {}, folderOf(files)).platform).toEqual(whole.platform)
  })

  test('has the syntax errors of each file in that file', () => {
    const { diagnostics } = check({
      'shop.portico': `import "people.portico";\nimport "orders.portico";\n${SHOP.trimEnd().slice(0, -1)}`,
      'people.portico': PEOPLE.replace('name:', 'name'),
      'orders.portico': 'Order: service { item: Item; }\n',
    })
    expect(diagnostics.map(({ code, file }) => `${file} ${code}`)).toEqual([
      'shop.portico unclosed-block',
      'people.portico missing-token',
    ])
  })

  test('has lines and columns of the file, and offsets of all files', () => {
    const files = { 'shop.portico': `import "people.portico";\n${SHOP}`, 'people.portico': `\n${PEOPLE}  x` }
    const { diagnostics, parseResult } = check(files)
    const [{ range, file } = { range: undefined, file: '' }] = diagnostics
    expect(file).toBe('people.portico')
    expect(range?.start).toMatchObject({ line: 7, offset: parseResult.text.indexOf('  x') + 3 })
    expect(parseResult.files.map(({ start, end }) => parseResult.text.slice(start, end))).toEqual(
      Object.values(files),
    )
  })

  test('keeps what did not change of every file', () => {
    const files = { 'shop.portico': `import "people.portico";\n${SHOP}`, 'people.portico': PEOPLE }
    const { parser } = porticoServices()
    const read = (shop: string, before: Parameters<typeof parser.DefinitionParser.reparse>[1]) =>
      parser.DefinitionParser.reparse(shop, before, folderOf(files))
    const before = read(files['shop.portico'], [])
    const member = before.value.members.at(-1)
    const after = read(files['shop.portico'].replace('Item', 'Thing'), before.segments)
    expect(after.value.members.at(-1)).toBe(member)
    expect(after.value.members.map(({ name }) => name)).toEqual(['Shop', 'Thing', 'Member'])
  })
})

test('`import` is also a name', () => {
  expectDiagnostics('P: project {}\nHome: service { import: string; }\n')
  expectDiagnostics('P: project {}\nHome: service { a: int; #unique[import, a]; import: int; }\n')
})

test('the path of an import may be on the next line, whatever else is wrong', () => {
  expectDiagnostics('import\n"a.portico";\nP: project { x «}»\nHome: service {}\n', 'unexpected-token')
})

test('without a folder, imports are not followed', () => {
  expectDiagnostics('import "people.portico";\nimport "orders.portico";\nP: project {}\nHome: service {}\n')
})

const VALID = 'Shop: project {}\nItem: service {}\n'
/** What is wrong with imports, each with one diagnostic. */
const MISTAKES: readonly Files[] = [
  { 'shop.portico': `import "poeple.portico";\n${VALID}` },
  { 'shop.portico': `import "../people.portico";\n${VALID}` },
  { 'shop.portico': `import "a/b.portico";\n${VALID}`, 'a/b.portico': 'import "../../c.portico";' },
  { 'shop.portico': `import "/home/me/people.portico";\n${VALID}` },
  { 'shop.portico': `import "C:/people.portico";\n${VALID}` },
  { 'shop.portico': `import "https://example.com/people.portico";\n${VALID}` },
  { 'shop.portico': `import "people\\\\people.portico";\n${VALID}` },
  { 'shop.portico': `import "people\\people.portico";\n${VALID}` },
  { 'shop.portico': `import "parts\\tools.portico";\n${VALID}` },
  { 'shop.portico': `import "people";\n${VALID}` },
  { 'shop.portico': `import "people.json";\n${VALID}` },
  { 'shop.portico': `import "";\n${VALID}` },
  { 'shop.portico': `import "shop.portico";\n${VALID}` },
  { 'shop.portico': `import "people.portico";\nimport "./people.portico";\n${VALID}`, 'people.portico': '' },
  {
    'shop.portico': `import "a.portico";\n${VALID}`,
    'a.portico': 'import "b.portico";',
    'b.portico': 'import "a.portico";',
  },
  { 'shop.portico': `${VALID}import "people.portico";\n`, 'people.portico': '' },
  { 'shop.portico': `import "people.portico";\n${VALID}`, 'people.portico': '\nItem: service {}\n' },
  { 'shop.portico': `import "people.portico";\n${VALID}`, 'people.portico': 'Staff: project {}\n' },
  { 'shop.portico': `import "main.portico";\nTag: service {}\n`, 'main.portico': VALID },
  { 'shop.portico': `import 'people.portico';\n${VALID}` },
  { 'shop.portico': `import people;\n${VALID}` },
  { 'shop.portico': `import "a.portico", "b.portico";\n${VALID}` },
  { 'shop.portico': `import "a.portico" as a;\n${VALID}` },
  { 'shop.portico': `import { Person } from "people.portico";\n${VALID}` },
  { 'shop.portico': `import {\n  Person,\n  Role,\n} from "people.portico";\n${VALID}` },
  { 'shop.portico': `import (\n  "people.portico"\n  "roles.portico"\n)\n${VALID}` },
  { 'shop.portico': `Import "people.portico";\n${VALID}` },
  { 'shop.portico': `include "people.portico";\n${VALID}` },
  { 'shop.portico': `im\nimport "people.portico";\n${VALID}`, 'people.portico': '' },
  { 'shop.portico': 'Shop: project {\n  import "people.portico";\n}\nItem: service {}\n' },
]

test('a mistake in an import has one diagnostic, which says what to do', async () => {
  const reports = MISTAKES.map((files) => {
    const { diagnostics, parseResult } = check(files)
    return brief(parseResult.text, diagnostics)
  })
  for (const [index, printed] of reports.entries())
    expect(printed.match(/^(?:error|warning|hint)\[/gm), JSON.stringify(MISTAKES[index])).toHaveLength(1)
  await expect(`${reports.join('\n')}\n`).toMatchFileSnapshot('imports.txt')
})

describe('a file that is not read', () => {
  const text = hundred(24)
  const files: Files = Object.fromEntries(
    [...inFiles(text, 8)].map(([name, file]) => [name === 'several.portico' ? 'shop.portico' : name, file]),
  )
  const codes = (changed: Files) => check(changed).diagnostics.map(({ code }) => code)
  const without = (path: string): Files =>
    Object.fromEntries(Object.entries(files).filter(([name]) => name !== path))
  const imports = Object.keys(files).filter((path) => path !== 'shop.portico')

  test.each(imports)('has one diagnostic, whatever it declares: %s', (path) => {
    expect(codes(without(path))).toEqual(['unreadable-import'])
  })

  test.each([
    ['invalid-import', '"part-3";'],
    ['invalid-import', '"../part-3.portico";'],
    ['unexpected-token', 'part-3;'],
    ['unexpected-token', "'part-3.portico';"],
  ])('the same if its import is wrong: %s, %s', (code, path) => {
    const main = files['shop.portico']?.replace('"part-3.portico";', path) ?? ''
    expect(codes({ ...without('part-3.portico'), 'shop.portico': main })).toEqual([code])
  })

  test('may have the services, the users and what `#uses` names', () => {
    const shop = `import "members.portico";\nShop: project {\n  #authMethod(email);\n}\n`
    expect(codes({ 'shop.portico': shop })).toEqual(['unreadable-import'])
    const uses = 'Item: service {\n  #uses[Member];\n  photo: Photo;\n  Photo: struct {}\n  name: text;\n}\n'
    // No file has these: a struct of a service for its own attributes, and a type in lower case.
    expect(codes({ 'shop.portico': shop + uses })).toEqual([
      'unreadable-import',
      'struct-out-of-reach',
      'unknown-type',
    ])
  })

  test('hides nothing once it is read, although the other text is the same', () => {
    const main = 'import "empty.portico";\nShop: project {}\nItem: service {\n  photo: Photo;\n}\n'
    const { parser, validation } = porticoServices()
    const read = (folder: Files, before: Parameters<typeof parser.DefinitionParser.reparse>[1]) =>
      parser.DefinitionParser.reparse(main, before, folderOf(folder))
    const found = (result: ReturnType<typeof read>) =>
      validation.DocumentValidator.diagnosticsOf(result).map(({ code }) => code)
    const before = read({}, [])
    expect(found(before)).toEqual(['unreadable-import'])
    expect(found(read({ 'empty.portico': '' }, before.segments))).toEqual(['unknown-type'])
  })
})

test('no folder makes the reader fail', () => {
  const endless: DefinitionFolder = {
    name: 'a.portico',
    read: () => 'import "b.portico"; import "a.portico";',
  }
  expect(checkText('import "b.portico";', endless).valid).toBe(false)
  let count = 0
  const deep: DefinitionFolder = { name: 'a.portico', read: () => `import "f${++count % 2000}.portico";` }
  expect(checkText('import "f0.portico";', deep).parseResult.files.length).toBe(2001)
  const large: DefinitionFolder = { name: 'a.portico', read: () => ' '.repeat(5_000_000) }
  expect(checkText('import "b.portico";', large).diagnostics.map(({ code }) => code)).toEqual([
    'definition-too-large',
  ])
})
