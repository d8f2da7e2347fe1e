import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../client/run-program.ts'
import { platformOf } from '../../emit/platform.ts'
import { temporaryDirectory } from '../../emit/service-process.ts'
import { expectConformanceBehindEnvoy } from '../../gateway/conformance.ts'
import { readInput } from '../../goldens/cases.ts'
import { deskInBothLanguages, example, inGo } from '../containers/definitions.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
// With something that no example has and that services see when they run.
const golden = ['all-features', 'go', 'long-names', 'references', 'reserved-words', 'uses'].map(
  (name) => `test/golden/${name}/input.portico`,
)
const examples = ['booking', 'chat', 'desk', 'stays', 'types'].map(
  (name) => `examples/${name}/${name}.portico`,
)

/** Runs `portico test`, whose last line counts the checks. */
function portico(file: string, ...options: readonly string[]): Promise<string> {
  const program = path.join(ROOT, 'bin/portico.mjs')
  return runProgram(process.execPath, [program, 'test', file, ...options], {
    cwd: ROOT,
    env: { ...process.env, PORTICO_SOURCE: '1' },
  })
}

const PASSED = /^\d+ checks: \d+ passed(?:, \d+ skipped)? \(\d+ requests\)$/m

test.each([...examples, ...golden])(
  '%s behaves in Go as its definition says',
  { timeout: 600_000 },
  async (file) => {
    expect(await portico(file, '--language', 'go')).toMatch(PASSED)
  },
)

test.each([
  ['stays in Go', inGo(example('stays/stays.portico'))],
  ['desk in both languages', deskInBothLanguages()],
  ['all features in Go', inGo(readInput('all-features'))],
])('behind Envoy, %s conforms to its definition', { timeout: 600_000 }, (_, text) =>
  expectConformanceBehindEnvoy(platformOf(text)),
)

// Every second service of `desk` in Go, and then the others.
test.each([0, 1])('desk in both languages, %i', { timeout: 600_000 }, async (turn) => {
  const directory = path.join(await temporaryDirectory(), 'desk')
  await cp(path.join(ROOT, 'examples/desk'), directory, { recursive: true })
  let count = turn
  for (const name of (await readdir(directory, { recursive: true })).sort()) {
    if (!name.endsWith('.portico')) continue
    const file = path.join(directory, name)
    const text = await readFile(file, 'utf8')
    const everySecond = (block: string): string => (count++ % 2 === 0 ? `${block} #language(go);` : block)
    await writeFile(file, text.replaceAll(/^\w+: service \{/gm, everySecond))
  }
  expect(await portico(path.join(directory, 'desk.portico'))).toMatch(PASSED)
  await rm(directory, { recursive: true })
})
