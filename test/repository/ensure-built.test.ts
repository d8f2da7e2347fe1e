import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, '../../scripts/ensure-built.mjs')
const BUNDLE = 'dist/cli/main.mjs'
let clone: string

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'portico-clone-'))
  for (const directory of ['scripts', 'src/cli', 'explorer', 'dist/cli'])
    mkdirSync(join(clone, directory), { recursive: true })
  cpSync(SCRIPT, join(clone, 'scripts/ensure-built.mjs'))
  write('scripts/build.mjs', `import { writeFileSync } from 'node:fs'\nwriteFileSync('${BUNDLE}', 'built')\n`)
  write('src/cli/main.ts', '')
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

function write(file: string, text: string): void {
  writeFileSync(join(clone, file), text)
}

/** Sets when a file was changed, in seconds since 1970. */
function changed(file: string, seconds: number): void {
  utimesSync(join(clone, file), seconds, seconds)
}

/** Returns the bundle afterwards, and what the script says. */
function ensure(): { bundle: string | undefined; said: string } {
  const { stderr } = spawnSync(process.execPath, ['scripts/ensure-built.mjs'], {
    cwd: clone,
    encoding: 'utf8',
  })
  const bundle = existsSync(join(clone, BUNDLE)) ? readFileSync(join(clone, BUNDLE), 'utf8') : undefined
  return { bundle, said: stderr }
}

test('builds a missing bundle, and says so', () => {
  expect(ensure()).toEqual({ bundle: 'built', said: 'Building Portico (a few seconds)...\n' })
})

test('keeps a bundle that is newer than the source', () => {
  write(BUNDLE, 'kept')
  changed('src/cli/main.ts', 1_000_000)
  changed(BUNDLE, 1_000_001)
  expect(ensure()).toEqual({ bundle: 'kept', said: '' })
})

test('rebuilds the bundle after an edit', () => {
  write(BUNDLE, 'stale')
  changed(BUNDLE, 1_000_000)
  changed('src/cli/main.ts', 1_000_001)
  expect(ensure().bundle).toBe('built')
})
