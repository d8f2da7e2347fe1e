import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const REFUSED = [
  ['src/language', '../../model/platform.ts'],
  ['src/language', '../../emit/contract.ts'],
  ['src/language', 'node:fs'],
  ['src/diagnostics', '../../cli/main.ts'],
  ['src/model', '../../emit/contract.ts'],
  ['src/model', 'node:fs/promises'],
  ['src/emit', '../../language/parse.ts'],
  ['src/emit', '../../output/plan.ts'],
  ['src/emit', 'node:fs'],
  ['src/output', '../../cli/main.ts'],
  ['src/dev', '../../cli/main.ts'],
  ['src/conformance', '../../cli/main.ts'],
] as const
const ALLOWED = [
  ['src/language', '../../naming.ts'],
  ['src/model', '../../language/parse.ts'],
  ['src/emit', '../../model/platform.ts'],
  ['src/output', 'node:fs'],
] as const

const directories: string[] = []
let report = ''

/** Writes a file with this import into a folder of the source, since the rules go by the path; returns its path. */
async function fileImporting(folder: string, target: string): Promise<string> {
  const directory = await mkdtemp(join(ROOT, folder, 'boundary-'))
  directories.push(directory)
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
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

describe('an import against the order of the stages is a lint error', () => {
  test.each(REFUSED)('%s imports %s', (folder, target) => {
    expect(reported(folder, target)).toBe(true)
  })

  test.each(ALLOWED)('%s may import %s', (folder, target) => {
    expect(reported(folder, target)).toBe(false)
  })
})
