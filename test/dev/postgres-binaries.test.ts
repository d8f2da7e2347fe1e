import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unprivilegedUser } from '../../src/dev/system-user.ts'
import { prepareBinaries } from '../../src/dev/postgres-binaries.ts'

const account = unprivilegedUser()
let directory: string
let original: string

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  await chmod(directory, 0o755)
  original = path.join(directory, 'package')
  await mkdir(path.join(original, 'native/bin'), { recursive: true })
  await mkdir(path.join(original, 'native/lib'))
  // A program that runs only where it finds its library under the short name.
  const program = path.join(original, 'native/bin/postgres')
  await writeFile(program, '#!/bin/sh\nexec cat "$(dirname "$0")/../lib/short"\n')
  await chmod(program, 0o755)
  await writeFile(path.join(original, 'native/lib/short.1'), 'the library')
  await symlink('short.1', path.join(original, 'native/lib/short'))
  await chmod(original, 0o700)
  const temporary = path.join(directory, 'temporary')
  await mkdir(temporary)
  vi.stubEnv('TMPDIR', temporary)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(directory, { recursive: true, force: true })
})

const run = (program: string) => spawnSync(program, { ...account, encoding: 'utf8' }).stdout

// Only root has another account run the database.
test.runIf(account !== undefined)('a copy does not depend on the original', async () => {
  const { postgres } = prepareBinaries(original, '18.1.0', account)
  await rm(original, { recursive: true })
  expect(postgres.startsWith(original)).toBe(false)
  expect(run(postgres)).toBe('the library')
})

test.runIf(account !== undefined)('an incomplete copy is replaced', async () => {
  const { postgres } = prepareBinaries(original, '18.1.0', account)
  await rm(path.join(path.dirname(postgres), '../lib/short.1'))
  expect(run(postgres)).toBe('')
  expect(run(prepareBinaries(original, '18.1.0', account).postgres)).toBe('the library')
})

test.runIf(account === undefined)('without another account nothing is copied', () => {
  expect(prepareBinaries(original, '18.1.0', account).postgres.startsWith(original)).toBe(true)
})
