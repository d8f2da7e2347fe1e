import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { lockOwner, tryLock } from '../../src/output/lock.ts'
import { previewProject, updateProject } from '../../src/output/update-project.ts'
import { expectError, expectValue, generation, TestDirectory } from './project.ts'

const UPDATE = fileURLToPath(new URL('update.ts', import.meta.url))
const FILES = { 'README.md': 'readme\n' }

/** A process that holds the lock of a directory until it is ended. */
async function lockHeldByProcess(directory: TestDirectory): Promise<ChildProcess> {
  const child = spawn(process.execPath, [UPDATE, directory.path, '{}', 'hold'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

it('names the owner of the lock after waiting', async () => {
  using directory = new TestDirectory()
  expectValue(await updateProject(directory.path, generation(FILES)))
  const child = await lockHeldByProcess(directory)
  try {
    const waits: (number | undefined)[] = []
    const error = expectError(
      await updateProject(directory.path, generation({ 'README.md': 'new' }), {
        timeoutMs: 100,
        onWait: (pid) => waits.push(pid),
      }),
    )
    expect(error.code).toBe('busy')
    expect(error.message).toContain(`Process ${child.pid} is writing to the same output directory`)
    expect(waits).toEqual([child.pid])
    expect(directory.read('README.md')).toBe('readme\n')
    // Looking changes nothing, so it need not wait.
    expectValue(previewProject(directory.path, generation(FILES)))
  } finally {
    child.kill('SIGKILL')
  }
})

it('continues as soon as the other process ends, however it ends', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    using directory = new TestDirectory()
    expectValue(await updateProject(directory.path, generation(FILES)))
    const child = await lockHeldByProcess(directory)
    let waits = 0
    const update = updateProject(directory.path, generation({ 'README.md': 'new\n' }), {
      timeoutMs: 30_000,
      onWait: () => {
        waits++
        child.kill(signal)
      },
    })
    expectValue(await update)
    expect(waits).toBe(1)
    expect(directory.read('README.md')).toBe('new\n')
  }
})

it('also excludes other generations in the same process', () => {
  using directory = new TestDirectory()
  const lock = join(directory.path, 'lock')
  const release = tryLock(lock)
  expect(tryLock(lock)).toBeUndefined()
  expect(lockOwner(lock)).toBe(process.pid)
  release?.()
  tryLock(lock)?.()
  expect(readdirSync(directory.path)).toEqual(['lock'])
})

it('does not follow symbolic links', () => {
  using directory = new TestDirectory()
  directory.write('theirs', 'theirs')
  symlinkSync('theirs', join(directory.path, 'lock-owner'))
  tryLock(join(directory.path, 'lock'))?.()
  rmSync(join(directory.path, 'lock'))
  symlinkSync('other', join(directory.path, 'lock'))
  expect(() => tryLock(join(directory.path, 'lock'))).toThrow('ELOOP')
  expect(readdirSync(directory.path)).toEqual(['lock', 'theirs'])
  expect(directory.read('theirs')).toBe('theirs')
})

it('leaves one complete project if many generate at once', { timeout: 60_000 }, async () => {
  using directory = new TestDirectory()
  const root = join(directory.path, 'shop')
  const projects = Array.from({ length: 6 }, (_, number) =>
    Object.fromEntries(Array.from({ length: 60 }, (_value, file) => [`s${file}/main.ts`, `by ${number}\n`])),
  )
  const outcomes = await Promise.all(
    projects.map((files) => promisify(execFile)(process.execPath, [UPDATE, root, JSON.stringify(files)])),
  )
  for (const { stdout } of outcomes) expect(JSON.parse(stdout)).toEqual({ ok: true })
  const texts = new Set(
    Object.entries(directory.tree())
      .filter(([path]) => path.endsWith('main.ts'))
      .map(([, text]) => text),
  )
  expect(texts.size).toBe(1)
  const [text = ''] = texts
  const last = projects.find((files) => files['s0/main.ts'] === text) ?? {}
  expect(expectValue(previewProject(root, generation(last))).upToDate).toBe(true)
})
