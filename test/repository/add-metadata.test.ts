import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeErrors } from '../compiler.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** What adding `#retention(keep:)` to services takes: a file, a line of it, and the text after this line. */
const EDITS: readonly (readonly [path: string, line: string, added: string])[] = [
  ['src/language/builtins.ts', 'export type MetadataName =', "  | 'retention'"],
  [
    'src/language/builtins.ts',
    'export const METADATA: readonly MetadataEntry[] = [',
    `  {
    name: 'retention',
    blocks: ['service'],
    parameter: word('keep', 'required', 'How long.', [value('forever', 'Always.'), value('year', 'A year.')]),
    whenAbsent: '\`forever\`',
    docs: 'How long entities are kept.',
  },`,
  ],
  [
    'src/language/validation/checks.ts',
    "import { checkTerminated } from './terminated.ts'",
    "import { checkRetention } from './retention.ts'",
  ],
  ['src/language/validation/checks.ts', 'const ON_BLOCKS: readonly Check<Block>[] = [', '  checkRetention,'],
  [
    'src/language/validation/retention.ts',
    '',
    `import type { Block } from '../generated/ast.ts'
import { nameSpan } from '../nodes.ts'
import type { ValidationContext } from './context.ts'
import { metadataOf } from './definition-index.ts'

/** Users are kept until they are deleted. */
export function checkRetention(block: Block, context: ValidationContext): void {
  const retention = metadataOf(block, 'retention')
  if (retention === undefined || metadataOf(block, 'auth') === undefined) return
  context.report('retention-of-users', nameSpan(retention), '\`#retention\` cannot be combined with \`#auth\`')
}`,
  ],
  [
    'src/diagnostics/entries/metadata.ts',
    'export const METADATA_ENTRIES = {',
    `  'retention-of-users': {
    severity: error,
    title: 'Retention of users',
    explanation: 'Users are kept until they are deleted.',
    bad: withAuthentication('#retention(year);'),
    good: withAuthentication(),
  },`,
  ],
  [
    'src/language/fixes/table.ts',
    'export const FIXES: FixTable = {',
    "  'retention-of-users': [removeDeclaration],",
  ],
  [
    'src/model/platform.ts',
    'export interface Service extends ServiceBase {',
    "  readonly retention: 'forever' | 'year'",
  ],
  [
    'src/model/resolve.ts',
    '      was,\n    ),\n    was,',
    "    retention: (wordOf(node, 'retention') as Service['retention'] | undefined) ?? 'forever',",
  ],
  [
    'src/emit/openapi/document.ts',
    '        name: entity.names.declared,',
    "        'x-retention': service.retention,",
  ],
  ['test/golden/all-features/input.portico', 'Hall: service {', '  #retention(year);'],
]

/** Prints what the command line, an editor and the emitters get. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { compile } from './src/compile.ts'
import { emitProject } from './src/emit/project.ts'
import { checkText, porticoServices, readText } from './src/language/parse.ts'
import { completionAt } from './src/lsp/completion/candidates.ts'
import { resolvePlatform } from './src/model/resolve.ts'

const service = (members: string): string =>
  \`Shop: project { #authMethod(email); } User: service { #auth; } Item: service { \${members} }\`
const codes = (members: string): string[] => checkText(service(members)).diagnostics.map(({ code }) => code)
const retention = (members: string): string | undefined =>
  resolvePlatform(checkText(service(members)).ast).services[1]?.retention
const text = service('#ret }')
const all = compile(readFileSync('test/golden/all-features/input.portico', 'utf8')).platform
const described = emitProject(all).find(({ path }) => path === 'api/openapi.json')
const { candidates } = completionAt(readText(text), text.indexOf('#ret') + 4, porticoServices())

console.log(
  JSON.stringify({
    valid: codes('#retention(keep: year);'),
    unknownValue: codes('#retention(decade);'),
    combined: codes('#auth; #retention(year);'),
    offered: candidates.find(({ label }) => label === '#retention')?.snippet,
    declared: retention('#retention(year);'),
    absent: retention(''),
    emitted: described.content.includes('"name":"Hall","x-retention":"year"'),
  }),
)
`

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portico-metadata-'))
  // Without what boundaries.test.ts has there for a moment.
  const isSource = (path: string): boolean => !path.includes('/boundary-')
  await cp(join(ROOT, 'src'), join(copy, 'src'), { recursive: true, filter: isSource })
  await cp(join(ROOT, 'test/golden/all-features'), join(copy, 'test/golden/all-features'), {
    recursive: true,
  })
  for (const path of ['package.json', 'tsconfig.json']) await cp(join(ROOT, path), join(copy, path))
  for (const path of ['node_modules', 'templates']) await symlink(join(ROOT, path), join(copy, path))
  for (const [path, line, added] of EDITS) {
    const file = join(copy, path)
    const text = line === '' ? '' : await readFile(file, 'utf8')
    expect(text, path).toContain(line)
    await writeFile(file, line === '' ? added : text.replace(line, (found) => `${found}\n${added}`))
  }
  await writeFile(join(copy, 'program.ts'), PROGRAM)
})
afterAll(async () => {
  await rm(copy, { recursive: true, force: true })
})

test('CONTRIBUTING.md names every file that new metadata needs, fewer than ten', async () => {
  const contributing = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /## Add metadata\n([\s\S]*?)\n## /.exec(contributing) ?? []
  const named = [...section.matchAll(/`((?:src|test)\/[^`]*)`/g)].map(([, path = '']) => path)
  const files = new Set(EDITS.map(([path]) => path))
  for (const file of files)
    expect(
      named.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
      file,
    ).toBe(true)
  expect(files.size).toBeLessThan(10)
})

test('metadata that is added in these files compiles', async () => {
  const tsconfig = { extends: './tsconfig.json', include: ['src'] }
  await writeFile(join(copy, 'tsconfig.src.json'), JSON.stringify(tsconfig))
  expect(await typeErrors(join(copy, 'tsconfig.src.json'))).toBe('')
})

test('it is checked and completed, and the model and a generated file have it', async () => {
  const { stdout } = await run(process.execPath, ['program.ts'], { cwd: copy })
  expect(JSON.parse(stdout)).toEqual({
    valid: [],
    unknownValue: ['unknown-value'],
    combined: ['retention-of-users'],
    offered: '#retention(${1|forever,year|});',
    declared: 'year',
    absent: 'forever',
    emitted: true,
  })
})
