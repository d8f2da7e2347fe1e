import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** The folders that the files of each folder of the source must not import from. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  language: ['model', 'emit', 'output', 'dev', 'conformance', 'lsp', 'cli'],
  diagnostics: ['model', 'emit', 'output', 'dev', 'conformance', 'lsp', 'cli'],
  model: ['emit', 'output', 'dev', 'conformance', 'lsp', 'cli'],
  emit: ['language', 'diagnostics', 'output', 'dev', 'conformance', 'lsp', 'cli'],
  output: ['dev', 'conformance', 'lsp', 'cli'],
  dev: ['conformance', 'lsp', 'cli'],
  conformance: ['dev', 'lsp', 'cli'],
  lsp: ['dev', 'conformance', 'cli'],
}
/** What combines the stages, and reads the disk. */
const COMBINED = ['../../compile.ts', '../../definition-folder.ts', 'node:fs', 'node:path'] as const

const REFUSED: readonly (readonly [folder: string, target: string])[] = [
  ...Object.entries(LATER).flatMap(([folder, later]) =>
    later.map((target) => [`src/${folder}`, `../../${target}/module.ts`] as const),
  ),
  ...['language', 'diagnostics', 'model', 'emit'].flatMap((folder) =>
    COMBINED.map((target) => [`src/${folder}`, target] as const),
  ),
  ['src/emit', '#lib/values.ts'],
  ['src/migration', '../../emit/contract.ts'],
  ['src/migration', '#lib/values.ts'],
  ['src/migration', 'node:fs'],
  // What runs in a page, too.
  ['src/lsp', 'node:path'],
  ['src/lsp', 'langium/node'],
  ['src/output', '../../compile.ts'],
  ['src/output', '../../definition-folder.ts'],
  // Only the table of languages imports the emitters of one.
  ['src/emit', '../typescript/module.ts'],
  ...['output', 'dev', 'conformance', 'lsp', 'cli'].map(
    (folder) => [`src/${folder}`, '../../emit/typescript/module.ts'] as const,
  ),
]
const ALLOWED: readonly (readonly [folder: string, target: string])[] = [
  ['src/language', '../../naming.ts'],
  ['src/model', '../../language/parse.ts'],
  ['src/emit', '../../model/platform.ts'],
  ['src/emit/typescript', '../target.ts'],
  ['src/cli', '../../emit/client/typescript/module.ts'],
  ['src/output', '../../emit/contract.ts'],
  ['src/output', 'node:fs'],
  ['src/dev', '../../compile.ts'],
  ['src/conformance', '../../model/platform.ts'],
  ['src/lsp', '../../language/parse.ts'],
  ['src/lsp', 'langium/lsp'],
  ['src/cli', '../../dev/module.ts'],
]

/** A directory in each folder of the source, since the rules go by the path. */
const directories = new Map<string, Promise<string>>()
let report = ''

/** Writes a file with this import into a folder of the source; returns its path. */
async function fileImporting(folder: string, target: string): Promise<string> {
  const made = directories.get(folder) ?? mkdtemp(join(ROOT, folder, 'boundary-'))
  directories.set(folder, made)
  const directory = await made
  const file = join(directory, `${target.replaceAll(/\W/g, '_')}.ts`)
  await writeFile(file, `import * as target from '${target}'\n\nexport const probe = target\n`)
  return file
}

/** What the linter reports for the file of an import. */
function reported(folder: string, target: string): boolean {
  return report
    .split('\n')
    .some(
      (line) =>
        line.includes('no-restricted-imports') &&
        line.startsWith(`${folder}/boundary-`) &&
        line.includes(`/${target.replaceAll(/\W/g, '_')}.ts`),
    )
}

beforeAll(async () => {
  const files = await Promise.all(
    [...REFUSED, ...ALLOWED].map(([folder, target]) => fileImporting(folder, target)),
  )
  report = await new Promise((resolve) => {
    const program = join(ROOT, 'node_modules/.bin/oxlint')
    execFile(program, ['--format=unix', ...files], { cwd: ROOT }, (_error, stdout) => resolve(stdout))
  })
})
afterAll(async () => {
  for (const directory of directories.values()) await rm(await directory, { recursive: true, force: true })
})

test('only the tables of languages tell one from another', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/language/generated/**'] })
  const named = files.filter((file) =>
    /\blanguage\b\W{0,3} [!=]==? '|'\w+' [!=]==? \W{0,3}\blanguage\b|case 'typescript'/.test(
      readFileSync(join(ROOT, file), 'utf8'),
    ),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(named).toEqual([])
})

describe('an import against the order of the stages is a lint error', () => {
  test.each(REFUSED)('%s imports %s', (folder, target) => {
    expect(reported(folder, target)).toBe(true)
  })

  test.each(ALLOWED)('%s may import %s', (folder, target) => {
    expect(reported(folder, target)).toBe(false)
  })
})
