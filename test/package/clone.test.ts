import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

let clone = ''

/** Runs the program of the clone. */
function portico(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, [join(clone, 'bin/portico.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PORTICO_SOURCE: undefined, ...env },
  })
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'portico-clone-'))
  mkdirSync(join(clone, 'bin'))
  copyFileSync(join(ROOT, 'bin/portico.mjs'), join(clone, 'bin/portico.mjs'))
  for (const name of ['src', 'explorer', 'package.json', 'templates'])
    symlinkSync(join(ROOT, name), join(clone, name))
})

afterEach(() => rmSync(clone, { recursive: true, force: true }))

describe('a clone', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

  it('runs from its source while there is no bundle', () => {
    expect(portico(['--version'])).toBe(`${version}\n`)
    expect(portico(['explain', 'unknown-type'])).toContain('An unknown type')
  })

  it('runs its bundle, unless told otherwise', () => {
    mkdirSync(join(clone, 'dist/cli'), { recursive: true })
    writeFileSync(join(clone, 'dist/cli/main.mjs'), "process.stdout.write('bundle\\n')")
    expect(portico(['--version'])).toBe('bundle\n')
    expect(portico(['--version'], { PORTICO_SOURCE: '1' })).toBe(`${version}\n`)
  })
})
