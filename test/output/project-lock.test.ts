import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { statePaths } from '../../src/output/journal.ts'
import { takeLock, tryLock } from '../../src/output/project-lock.ts'
import { previewProject, updateProject } from '../../src/output/update-project.ts'
import { expectProblem, expectValue, generation, TestDirectory } from './project.ts'

const UPDATE = fileURLToPath(new URL('update.ts', import.meta.url))
const FILES = { 'README.md': 'readme\n' }

/** A process that holds the lock of a directory until it is ended. */
async function holder(directory: TestDirectory): Promise<ChildProcess> {
  const child = spawn(process.execPath, [UPDATE, directory.path, '{}', 'hold'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

it('says who holds a directory, after waiting', async () => {
  using directory = new TestDirectory()
  expectValue(await updateProject(directory.path, generation(FILES)))
  const child = await holder(directory)
  try {
    const waits: (number | undefined)[] = []
    const problem = expectProblem(
      await updateProject(directory.path, generation({ 'README.md': 'new' }), {
        patience: 100,
        onWait: (pid) => waits.push(pid),
      }),
    )
    expect(problem.code).toBe('busy')
    expect(problem.message).toContain(`process ${child.pid} is generating into the same directory`)
    expect(waits).toEqual([child.pid])
    expect(directory.read('README.md')).toBe('readme\n')
    // Looking changes nothing, so it need not wait.
    expectValue(previewProject(directory.path, generation(FILES)))
  } finally {
    child.kill('SIGKILL')
  }
})

it('goes on as soon as the other is done, however it ends', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    using directory = new TestDirectory()
    expectValue(await updateProject(directory.path, generation(FILES)))
    const child = await holder(directory)
    let waits = 0
    const update = updateProject(directory.path, generation({ 'README.md': 'new\n' }), {
      patience: 30_000,
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

it('locks generations of one process against each other too', async () => {
  using directory = new TestDirectory()
  const state = statePaths(directory.path)
  mkdirSync(state.directory)
  const lock = expectValue(await takeLock(state, { patience: 0, onWait: () => undefined }))
  expect(tryLock(state)).toBeUndefined()
  expect(readFileSync(state.holder, 'utf8')).toBe(String(process.pid))
  lock.release()
  tryLock(state)?.release()
  expect(readdirSync(state.directory)).toEqual(['lock'])
})

it('leaves one whole project where many generate at once', { timeout: 60_000 }, async () => {
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
