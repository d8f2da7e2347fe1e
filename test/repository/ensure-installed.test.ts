import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, '../../scripts/ensure-installed.mjs')
let clone: string

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'portico-clone-'))
  mkdirSync(join(clone, 'scripts'))
  cpSync(SCRIPT, join(clone, 'scripts/ensure-installed.mjs'))
  lock('package-lock.json', {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/other-system': { version: '1.0.0', optional: true },
  })
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

function lock(file: string, packages: Record<string, unknown>): void {
  writeFileSync(join(clone, file), JSON.stringify({ packages }))
}

/** Runs the script with a program in npm's place that ends with `npmStatus`; gives what that was called with. */
async function ensure(npmStatus = 0): Promise<{ status: number; said: string; npm: string | undefined }> {
  const npm = join(clone, 'npm.mjs')
  const called = join(clone, 'called')
  writeFileSync(
    npm,
    `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(called)}, process.argv.slice(2).join(' '))
process.exit(${npmStatus})`,
  )
  return await new Promise((resolve) => {
    const env = { ...process.env, npm_execpath: npm }
    execFile(
      process.execPath,
      ['scripts/ensure-installed.mjs'],
      { cwd: clone, env },
      (error, _stdout, said) => {
        const status = error === null ? 0 : Number(error.code)
        resolve({ status, said, npm: existsSync(called) ? readFileSync(called, 'utf8') : undefined })
      },
    )
  })
}

test('installs on a fresh clone', async () => {
  const { status, said, npm } = await ensure()
  expect(status).toBe(0)
  expect(npm).toMatch(/^ci /)
  expect(said).toMatch(/^Installing/)
})

test('does nothing if everything except packages of other systems is installed', async () => {
  mkdirSync(join(clone, 'node_modules'))
  lock('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } })
  expect(await ensure()).toEqual({ status: 0, said: '', npm: undefined })
})

test('installs after a version has changed', async () => {
  mkdirSync(join(clone, 'node_modules'))
  lock('node_modules/.package-lock.json', { 'node_modules/a': { version: '0.9.0' } })
  expect((await ensure()).npm).toMatch(/^ci /)
})

test('explains what to do if the installation fails', async () => {
  const { status, said } = await ensure(1)
  expect(status).toBe(3)
  expect(said).toMatch(/npm ci/)
})
