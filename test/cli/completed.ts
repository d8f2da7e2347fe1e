import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { DIAGNOSTIC_CODES } from '../../src/diagnostics/catalogue.ts'
import { run, temporaryDirectory } from './harness.ts'

/** What every shell has to offer, for the words before the cursor (the last of them is being typed). */
export const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['portico', 'va'], ['validate']],
  [
    ['portico', 'validate', '--format', ''],
    ['github', 'json', 'text'],
  ],
  [['portico', 'validate', '--format', 'j'], ['json']],
  [['portico', 'validate', '--wat'], ['--watch']],
  [['portico', 'diff', 'shop.portico', 'old'], ['old.temple']],
  [['portico', 'generate', 'x.portico', '--dr'], ['--dry-run']],
  [['portico', 'generate', 'x.portico', '--language', 't'], ['typescript']],
  [['portico', 'generate', 'x.portico', '--provider', 'dock'], ['dockerCompose']],
  [['portico', 'validate', '--color', 'n'], ['never']],
  [['portico', 'explain', ''], [...DIAGNOSTIC_CODES].sort()],
  [['portico', 'explain', 'unknown-ty'], ['unknown-type']],
  [
    ['portico', 'completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [['portico', 'help', 'gen'], ['generate']],
]

/** A directory with definitions and other files, to complete names in. */
export function directoryWithDefinitions(): string {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'sub dir'))
  for (const name of ['shop.portico', 'old.temple', 'templefile', 'notes.txt', 'with space.portico'])
    writeFileSync(join(directory, name), '')
  return directory
}

/** Writes the completion script for a shell and returns its path. */
export async function scriptFor(shell: string): Promise<string> {
  const { status, stdout } = await run(['completion', shell])
  expect(status).toBe(0)
  const file = join(temporaryDirectory(), 'script')
  writeFileSync(file, stdout)
  return file
}
