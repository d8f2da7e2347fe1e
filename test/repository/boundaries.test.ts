import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** What oxlint says of a file with this text in this folder of the source. */
async function lint(folder: string, text: string): Promise<string> {
  // The rules go by the path, so the file has to lie in the folder itself.
  const directory = await mkdtemp(join(ROOT, folder, 'boundary-'))
  try {
    const file = join(directory, 'probe.ts')
    await writeFile(file, text)
    return await new Promise((resolve) => {
      execFile(join(ROOT, 'node_modules/.bin/oxlint'), [file], { cwd: ROOT }, (_error, stdout, stderr) => {
        resolve(stdout + stderr)
      })
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

describe('an import against the order of the stages is an error of the linter', () => {
  test.each([
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
  ])('%s imports %s', async (folder, target) => {
    const said = await lint(folder, `import * as target from '${target}'\n\nexport const probe = target\n`)
    expect(said).toMatch(/no-restricted-imports/)
  })

  test.each([
    ['src/language', '../../model/names.ts'],
    ['src/model', '../../language/parse.ts'],
    ['src/emit', '../../model/platform.ts'],
    ['src/output', 'node:fs'],
  ])('%s may import %s', async (folder, target) => {
    const said = await lint(folder, `import * as target from '${target}'\n\nexport const probe = target\n`)
    expect(said).not.toMatch(/no-restricted-imports/)
  })
})
