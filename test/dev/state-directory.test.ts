import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compileCacheDirectory, lockStateDirectory, stateDirectory } from '../../src/dev/state-directory.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-lock-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

test('only one platform at a time can lock a directory', () => {
  const release = lockStateDirectory(directory, 'shop')
  expect(() => lockStateDirectory(directory, 'shop')).toThrow(
    `\`portico dev\` (process ${process.pid}) is already running in \`shop\``,
  )
  release()
  lockStateDirectory(directory, 'shop')()
})

test('the lock of a killed process is released', async () => {
  const module = path.resolve('src/dev/state-directory.ts')
  // A lock that nothing refers to would be released by the garbage collector.
  const script = `import { lockStateDirectory, stateDirectory } from ${JSON.stringify(module)}; globalThis.release = lockStateDirectory(process.argv[1], 'x'); process.stdout.write('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script, directory])
  await once(holder.stdout, 'data')
  expect(() => lockStateDirectory(directory, 'shop')).toThrow(`process ${holder.pid}`)
  holder.kill('SIGKILL')
  await once(holder, 'close')
  lockStateDirectory(directory, 'shop')()
})

test.runIf(process.getuid?.() === 0)('a state directory that another user controls is rejected', async () => {
  const state = await stateDirectory(directory)
  chmodSync(state, 0o777)
  await expect(stateDirectory(directory)).rejects.toThrow(`\`${state}\` is writable by other users`)
  chmodSync(state, 0o755)
  chownSync(state, 54_321, 54_321)
  await expect(stateDirectory(directory)).rejects.toThrow(`\`${state}\` belongs to another user`)
  rmSync(state, { recursive: true })
  mkdirSync(path.join(directory, 'elsewhere'))
  symlinkSync(path.join(directory, 'elsewhere'), state)
  await expect(stateDirectory(directory)).rejects.toThrow(`\`${state}\` is not a directory`)
})

test('the cache of compiled code is kept, but no link in it', async () => {
  const state = await stateDirectory(directory)
  const cache = compileCacheDirectory(state)
  const elsewhere = path.join(directory, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(path.join(elsewhere, 'mine'), '')
  mkdirSync(path.join(cache, 'v1'))
  expect(readdirSync(compileCacheDirectory(state))).toEqual(['v1'])
  symlinkSync(elsewhere, path.join(cache, 'v2'))
  expect(readdirSync(compileCacheDirectory(state))).toEqual([])
  rmSync(cache, { recursive: true })
  symlinkSync(elsewhere, cache)
  compileCacheDirectory(state)
  expect(lstatSync(cache).isDirectory()).toBe(true)
  expect(readdirSync(elsewhere)).toEqual(['mine'])
})
