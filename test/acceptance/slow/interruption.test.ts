import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statePaths } from '../../../src/output/state-paths.ts'
import { previewProject, updateProject } from '../../../src/output/update-project.ts'
import { recover } from '../../../src/output/write.ts'
import { EDITS, NEW, OLD } from '../../output/interrupted-writes.ts'
import {
  expectError,
  expectValue,
  systemError,
  TestDirectory,
  treeOf,
  type Change,
  watchChanges,
} from '../../output/project.ts'

const WRITER = fileURLToPath(new URL('../../output/write-and-die.ts', import.meta.url))

/** The project before and after the write, and every change that the write makes. */
const before = new TestDirectory()
const after = new TestDirectory()
const done: Change[] = []
/** The number of the change that writes the journal, and of the one that completes the write. */
let journalChange = 0
let manifestChange = 0

beforeAll(async () => {
  expectValue(await updateProject(before.path, OLD))
  for (const [path, text] of Object.entries(EDITS)) before.write(path, text)
  cpSync(before.path, after.path, { recursive: true })
  using _watch = watchChanges((_number, change) => done.push(change))
  expectValue(await updateProject(after.path, NEW, { overwrite: true }))
  const { journal, manifest } = statePaths(after.path)
  journalChange = done.findIndex(({ paths }) => paths[1] === journal)
  manifestChange = done.findIndex(({ paths }) => paths[1] === manifest)
})

afterAll(() => {
  before[Symbol.dispose]()
  after[Symbol.dispose]()
})

describe('a write that is ended with SIGKILL', () => {
  it('leaves the old project or the new one, at any point', { timeout: 120_000 }, async () => {
    expect(done.length).toBeGreaterThan(30)
    await eachInTurn(done.length, async (number) => {
      using directory = copyOf(before)
      await writeAndDie(directory, number)
      const left = directory.tree()
      if (number <= journalChange) expect(left, `change ${number}`).toEqual(before.tree())
      const isPartial = number > journalChange && number <= manifestChange
      expect(recover(place(directory)), `change ${number}`).toBe(isPartial)
      const found = directory.tree()
      expect(found, `change ${number}`).toEqual(number <= manifestChange ? before.tree() : after.tree())
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

  it('leaves nothing or the complete project in a new directory', { timeout: 120_000 }, async () => {
    using whole = new TestDirectory()
    let count = 0
    {
      using _watch = watchChanges((number) => (count = number + 1))
      expectValue(await updateProject(whole.path, NEW))
    }
    expect(count).toBeGreaterThan(20)
    await eachInTurn(count, async (number) => {
      using directory = new TestDirectory()
      await writeAndDie(directory, number)
      recover(place(directory))
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
      recover(place(directory))
      for (const edit of edits) {
        const texts = Object.values(directory.tree())
        expect(
          texts.some((text) => text.includes(edit)),
          `${edit} after change ${number}`,
        ).toBe(true)
      }
    })
  })

  it('continues a rollback that was interrupted', { timeout: 120_000 }, async () => {
    const rollback = await countRollbackChanges(manifestChange)
    expect(rollback).toBeGreaterThan(8)
    await eachInTurn(rollback, async (number) => {
      using directory = copyOf(before)
      await writeAndDie(directory, manifestChange + 1 + number, manifestChange)
      recover(place(directory))
      expect(directory.tree(), `change ${number} of rollback`).toEqual(before.tree())
    })
  })
})

describe('a write that the system rejects', () => {
  it('changes nothing, whichever change is rejected', async () => {
    const codes = ['EACCES', 'ENOSPC', 'EROFS']
    for (const [number, change] of done.slice(0, manifestChange + 1).entries()) {
      // What stays of staged files and empty directories has no effect.
      if (change.name === 'rmSync' || change.name === 'rmdirSync') continue
      using directory = copyOf(before)
      const error = expectError(
        await updateWatched(directory, (at, { name, paths }) => {
          if (at === number) throw systemError(codes[number % codes.length] ?? '', name, paths[0] ?? '')
        }),
      )
      expect(error.code).toBe('system')
      expect(error.message).toMatch(
        /^Could not access `\/.*`: .*(permission denied|no space left|read-only).* Nothing was changed\.$/,
      )
      expect(directory.tree(), `${change.name} ${change.paths.join(' ')}`).toEqual(before.tree())
      expectValue(await updateProject(directory.path, NEW, { overwrite: true }))
      expect(directory.tree()).toEqual(after.tree())
    }
  })
})

it('is rolled back if one of its staged files was removed', async () => {
  const names = done.flatMap(({ name, paths: [path = ''] }) =>
    name === 'writeFileSync' && path.endsWith('.new') ? [basename(path)] : [],
  )
  expect(names).not.toHaveLength(0)
  for (const name of names) {
    using directory = copyOf(before)
    const { journal, staging } = statePaths(directory.path)
    const error = expectError(
      await updateWatched(directory, (_number, { paths }) => {
        if (paths[1] === journal) renameSync(join(staging, name), join(staging, 'gone'))
      }),
    )
    expect(error.message).toContain('Nothing was changed.')
    expect(directory.tree(), name).toEqual(before.tree())
  }
})

it('flushes files that replace older ones, and the journal, before the first change', () => {
  const { staging, journal } = statePaths(after.path)
  const flushed = done.slice(0, journalChange).filter(({ name }) => name === 'fdatasync')
  const replaced = ['README.md', 'home/package.json', 'home/src/edited.ts', 'home/src/main.ts']
  expect(flushed).toHaveLength(replaced.length + 2)
  expect(flushed.at(-2)?.paths).toEqual([join(staging, 'manifest.json')])
  expect(flushed.at(-1)?.paths).toEqual([join(staging, 'journal.json')])
  expect(done.findIndex(({ name }) => name === 'renameSync')).toBe(journalChange)
  expect(done[journalChange]?.paths).toEqual([join(staging, 'journal.json'), journal])
  expect(done[journalChange + 1]).toEqual({ name: 'fdatasync', paths: [dirname(journal)] })
})

it('reports an interrupted write that a preview must not complete', async () => {
  using directory = copyOf(before)
  await writeAndDie(directory, journalChange + 3)
  const left = directory.tree()
  const error = expectError(previewProject(directory.path, NEW))
  expect(error.code).toBe('interrupted')
  expect(error.help).toContain('portico generate')
  expect(directory.tree()).toEqual(left)
})

it('stops at an invalid journal and changes nothing', async () => {
  for (const text of [
    '',
    '{"version":2,"steps":[{"path":"../x","next":"","previous":null,"backup":null}]}',
    '{"version":2,"steps":[{"path":"x","next":1,"previous":null,"backup":null}]}',
    '{"version":1,"steps":[]}',
  ]) {
    using directory = copyOf(before)
    directory.write('.portico/journal.json', text)
    directory.write('.portico/staging/manifest.json', '')
    const error = expectError(await updateProject(directory.path, NEW, { overwrite: true }))
    expect(error.code).toBe('interrupted')
    expect(error.message).toContain('.portico/journal.json')
    expect(directory.tree()).toEqual(before.tree())
  }
})

function place(directory: TestDirectory) {
  return { root: directory.path, state: statePaths(directory.path) }
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

/** How many changes rollback makes when the change `refused` was refused. */
async function countRollbackChanges(refused: number): Promise<number> {
  using directory = copyOf(before)
  let count = 0
  expectError(
    await updateWatched(directory, (number, { name, paths }) => {
      count = number
      if (number === refused) throw systemError('EACCES', name, paths[0] ?? '')
    }),
  )
  return count - refused
}

/** Writes NEW in this process and calls `before` before each change. */
async function updateWatched(directory: TestDirectory, watch: Parameters<typeof watchChanges>[0]) {
  using _watch = watchChanges(watch)
  return await updateProject(directory.path, NEW, { overwrite: true })
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
