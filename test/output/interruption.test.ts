import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DISK, type Disk } from '../../src/output/disk.ts'
import { recover } from '../../src/output/finish.ts'
import { statePaths } from '../../src/output/journal.ts'
import { previewProject, updateProject } from '../../src/output/update-project.ts'
import { EDITS, NEW, OLD } from './interrupted-writes.ts'
import { expectProblem, expectValue, systemError, TestDirectory, treeOf, watchedDisk } from './project.ts'

const WRITER = fileURLToPath(new URL('write-and-die.ts', import.meta.url))

/** The project before and after the write, and every change that the write makes. */
const before = new TestDirectory()
const after = new TestDirectory()
const done: { name: keyof Disk; paths: readonly string[] }[] = []
/** The number of the change that lays the journal down. */
let journalChange = 0

beforeAll(async () => {
  expectValue(await updateProject(before.path, OLD))
  for (const [path, text] of Object.entries(EDITS)) before.write(path, text)
  cpSync(before.path, after.path, { recursive: true })
  const disk = watchedDisk((_number, name, paths) => done.push({ name, paths }))
  expectValue(await updateProject(after.path, NEW, { overwrite: true, disk }))
  const { journal } = statePaths(after.path)
  journalChange = done.findIndex(({ name, paths }) => name === 'rename' && paths[1] === journal)
})

afterAll(() => {
  before[Symbol.dispose]()
  after[Symbol.dispose]()
})

describe('a write that is ended with SIGKILL', () => {
  it('leaves the old project or the new one, whenever that happens', { timeout: 120_000 }, async () => {
    expect(done.length).toBeGreaterThan(30)
    await eachInTurn(done.length, async (number) => {
      using directory = copyOf(before)
      await writeAndDie(directory, number)
      const left = directory.tree()
      if (number <= journalChange) expect(left, `change ${number}`).toEqual(before.tree())
      expectValue(recover(place(directory)))
      const found = directory.tree()
      expect(found, `change ${number}`).toEqual(number <= journalChange ? before.tree() : after.tree())
      // Whatever was left: the next generation ends where an undisturbed one does.
      expectValue(await updateProject(directory.path, NEW, { overwrite: true }))
      expect(directory.tree()).toEqual(after.tree())
      expect(readdirSync(join(directory.path, '.portico')).sort()).toEqual([
        '.gitignore',
        'lock',
        'manifest.json',
      ])
    })
  })

  it('leaves nothing or the whole project, where there was none', { timeout: 120_000 }, async () => {
    using whole = new TestDirectory()
    let count = 0
    const disk = watchedDisk((number) => (count = number + 1))
    expectValue(await updateProject(whole.path, NEW, { disk }))
    expect(count).toBeGreaterThan(20)
    await eachInTurn(count, async (number) => {
      using directory = new TestDirectory()
      await writeAndDie(directory, number)
      expectValue(recover(place(directory)))
      const found = directory.tree()
      expect([{}, whole.tree()], `change ${number}`).toContainEqual(found)
      expectValue(await updateProject(directory.path, NEW))
      expect(directory.tree()).toEqual(whole.tree())
    })
  })

  it('loses nothing that is edited before the next generation', { timeout: 120_000 }, async () => {
    await eachInTurn(done.length, async (number) => {
      if (number <= journalChange) return
      using directory = copyOf(before)
      await writeAndDie(directory, number)
      const edits = editEverything(directory)
      expectValue(recover(place(directory)))
      for (const edit of edits) {
        const texts = Object.values(directory.tree())
        expect(
          texts.some((text) => text.includes(edit)),
          `${edit} after change ${number}`,
        ).toBe(true)
      }
    })
  })

  it('is undone where it was being undone', { timeout: 120_000 }, async () => {
    const refused = done.findLastIndex(
      ({ name, paths }) => name === 'rename' && paths[1]?.endsWith('manifest.json'),
    )
    const undoing = await countUndoing(refused)
    expect(undoing).toBeGreaterThan(8)
    await eachInTurn(undoing, async (number) => {
      using directory = copyOf(before)
      await writeAndDie(directory, refused + 1 + number, refused)
      const recovered = expectValue(recover(place(directory)))
      // Before the journal has its other name, nothing says that it should not be carried out.
      expect(directory.tree(), `change ${number} of undoing`).toEqual(
        number === 0 ? after.tree() : before.tree(),
      )
      if (recovered !== undefined) expect(recovered.kind).toBe(number === 0 ? 'finished' : 'undone')
    })
  })
})

describe('a write that the system refuses', () => {
  it('changes nothing, whichever change is refused', async () => {
    const codes = ['EACCES', 'ENOSPC', 'EROFS']
    for (const [number, change] of done.entries()) {
      // What follows the manifest only tidies up.
      if (change.name === 'unlink' && change.paths[0]?.endsWith('journal.json')) break
      // An empty directory that stays harms nobody.
      if (change.name === 'removeDirectory') continue
      using directory = copyOf(before)
      const disk = watchedDisk((at, name, paths) => {
        if (at === number) throw systemError(codes[number % codes.length] ?? '', name, paths[0] ?? '')
      })
      const problem = expectProblem(await updateProject(directory.path, NEW, { overwrite: true, disk }))
      expect(problem.code).toBe('system')
      expect(problem.advice).toBe('Nothing was changed.')
      expect(problem.message).toMatch(/^\/.*(permission denied|no space is left|read-only)[^\n]*\.$/)
      expect(directory.tree(), `${change.name} ${change.paths.join(' ')}`).toEqual(before.tree())
      expectValue(await updateProject(directory.path, NEW, { overwrite: true }))
      expect(directory.tree()).toEqual(after.tree())
    }
  })
})

it('is undone where a file that it staged is taken away', async () => {
  const names = done.flatMap(({ name, paths: [path = ''] }) =>
    name === 'create' && dirname(path) === statePaths(after.path).newFiles ? [basename(path)] : [],
  )
  expect(names).not.toHaveLength(0)
  for (const name of names) {
    using directory = copyOf(before)
    const { journal, newFiles } = statePaths(directory.path)
    const disk = watchedDisk((_number, change, paths) => {
      if (change === 'rename' && paths[1] === journal) rmSync(join(newFiles, name))
    })
    const problem = expectProblem(await updateProject(directory.path, NEW, { overwrite: true, disk }))
    expect(problem.advice).toBe('Nothing was changed.')
    expect(directory.tree(), name).toEqual(before.tree())
  }
})

it('has on the medium what replaces older files, and the journal, before it touches the first', () => {
  const { staging, journal } = statePaths(after.path)
  const [flushed] = done.filter(({ name }) => name === 'flush')
  const replaced = ['README.md', 'home/package.json', 'home/src/edited.ts', 'home/src/main.ts']
  expect(flushed?.paths).toHaveLength(replaced.length + 2)
  expect(flushed?.paths.at(-2)).toBe(join(staging, 'manifest.json'))
  expect(flushed?.paths.at(-1)).toBe(join(staging, 'journal.json'))
  const first = done.findIndex(({ name, paths }) => name === 'rename' && !paths.at(-1)?.startsWith(staging))
  expect(done[first]).toEqual({ name: 'rename', paths: [join(staging, 'journal.json'), journal] })
  expect(done.findIndex(({ name }) => name === 'flush')).toBe(first - 1)
  expect(done[first + 1]?.name).toBe('flush')
})

it('says that a write was interrupted, where it may not finish it', async () => {
  using directory = copyOf(before)
  await writeAndDie(directory, journalChange + 3)
  const left = directory.tree()
  const problem = expectProblem(previewProject(directory.path, NEW))
  expect(problem.code).toBe('interrupted')
  expect(problem.advice).toContain('portico generate')
  expect(directory.tree()).toEqual(left)
})

it('stops at a journal that makes no sense, and touches nothing', async () => {
  for (const text of [
    '',
    '{"version":1,"steps":[{"kind":"put","path":"../x","next":"","previous":null}]}',
    '{"version":2,"steps":[]}',
  ]) {
    using directory = copyOf(before)
    directory.write('.portico/journal.json', text)
    const problem = expectProblem(await updateProject(directory.path, NEW, { overwrite: true }))
    expect(problem.code).toBe('interrupted')
    expect(problem.message).toContain('.portico/journal.json')
    expect(directory.tree()).toEqual(before.tree())
  }
})

function place(directory: TestDirectory) {
  return { root: directory.path, state: statePaths(directory.path), disk: DISK }
}

function copyOf(directory: TestDirectory): TestDirectory {
  const copy = new TestDirectory()
  cpSync(directory.path, copy.path, { recursive: true })
  return copy
}

/** Runs the write in a process of its own, which has to die of SIGKILL. */
async function writeAndDie(directory: TestDirectory, killed: number, refused?: number): Promise<void> {
  const values = [WRITER, directory.path, String(killed), ...(refused === undefined ? [] : [String(refused)])]
  const signal = await new Promise((resolve) => {
    execFile(process.execPath, values, (error) => resolve(error?.signal))
  })
  expect(signal, `change ${killed}`).toBe('SIGKILL')
}

/** How many changes undoing makes when the change `refused` was refused. */
async function countUndoing(refused: number): Promise<number> {
  using directory = copyOf(before)
  let count = 0
  const disk = watchedDisk((number, name, paths) => {
    count = number
    if (number === refused) throw systemError('EACCES', name, paths[0] ?? '')
  })
  expectProblem(await updateProject(directory.path, NEW, { overwrite: true, disk }))
  return count - refused
}

function editEverything(directory: TestDirectory): string[] {
  return Object.keys(treeOf(directory.path))
    .filter((path) => !path.startsWith('.portico') && !path.endsWith('/'))
    .map((path) => {
      appendFileSync(join(directory.path, path), `// edit of ${path} after the interruption\n`)
      return `// edit of ${path} after the interruption\n`
    })
}

/** Runs a test for each number, a few at a time: each starts a process. */
async function eachInTurn(count: number, run: (number: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number).values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const number of numbers) await run(number)
    }),
  )
}
