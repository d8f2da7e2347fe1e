import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Generation } from '../../src/output/plan.ts'
import { statePaths } from '../../src/output/state-paths.ts'
import { previewProject, updateProject } from '../../src/output/update-project.ts'
import { recover } from '../../src/output/write.ts'
import {
  type Change,
  expectError,
  expectValue,
  generation,
  systemError,
  TestDirectory,
  watchChanges,
} from './project.ts'

/** The project of a service with a database that was created for the service `house`. */
function projectOf(service: string): Generation {
  return generation(
    {
      'README.md': `${service}\n`,
      [`${service}/src/main.ts`]: `main of ${service}\n`,
      [`${service}/src/queries/${service}.ts`]: `queries of ${service}\n`,
      [`${service}/src/setup.ts`]: `first setup of ${service}\n`,
      [`${service}/src/datastore.ts`]: `first datastore of ${service}\n`,
    },
    { directories: new Map([['house-db', service]]) },
  )
}

/** What the user wrote. */
const MINE = { 'src/setup.ts': 'my setup\n', 'src/mine/notes.ts': 'my notes\n', '.env': 'MINE=1\n' }

/** Files in `service/`. */
function inDirectory(service: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${service}/${path}`, text]))
}

const AFTER = {
  'README.md': 'home\n',
  'home/src/main.ts': 'main of home\n',
  'home/src/queries/home.ts': 'queries of home\n',
  // Nobody had written in it.
  'home/src/datastore.ts': 'first datastore of home\n',
  ...inDirectory('home', MINE),
}

async function house(): Promise<TestDirectory> {
  const directory = new TestDirectory()
  expectValue(await updateProject(directory.path, projectOf('house')))
  for (const [path, text] of Object.entries(inDirectory('house', MINE))) directory.write(path, text)
  return directory
}

function filesOf(directory: TestDirectory): Record<string, string> {
  const { '.portico/manifest.json': _, ...files } = directory.tree()
  return files
}

describe('the directory of a renamed service', () => {
  it('takes the new name, with the files of the user in it', async () => {
    using directory = await house()
    const update = expectValue(await updateProject(directory.path, projectOf('home')))
    expect(update).toMatchObject({ moves: [{ from: 'house', to: 'home' }], blockedMoves: [] })
    expect(update.plan.actions).toContainEqual({ kind: 'keep', path: 'home/src/setup.ts', reason: 'user' })
    expect(filesOf(directory)).toEqual(AFTER)
    expect(expectValue(await updateProject(directory.path, projectOf('home'))).upToDate).toBe(true)
  })

  it('is renamed again, and back', async () => {
    using directory = await house()
    for (const name of ['home', 'villa', 'house']) {
      expectValue(await updateProject(directory.path, projectOf(name)))
      expect(filesOf(directory)).toMatchObject({
        [`${name}/src/main.ts`]: `main of ${name}\n`,
        ...inDirectory(name, MINE),
      })
      expect(Object.keys(filesOf(directory)).filter((path) => !path.startsWith(name))).toEqual(['README.md'])
    }
  })

  it('makes room for a service that takes its name', async () => {
    using directory = await house()
    expectValue(await updateProject(directory.path, projectOf('home')))
    const villa = projectOf('villa')
    const both = generation(
      { 'villa/src/main.ts': 'villa\n', 'home/src/main.ts': 'another home\n' },
      { directories: new Map([['cabin-db', 'home'], ...(villa.directories ?? [])]) },
    )
    directory.write('cabin/.env', 'CABIN=1\n')
    expectValue(await updateProject(directory.path, both))
    expect(filesOf(directory)).toEqual({
      'villa/src/main.ts': 'villa\n',
      ...inDirectory('villa', MINE),
      'home/src/main.ts': 'another home\n',
      'home/.env': 'CABIN=1\n',
    })
  })

  it('is previewed without being moved', async () => {
    using directory = await house()
    const before = directory.tree()
    const { moves, plan, upToDate } = expectValue(previewProject(directory.path, projectOf('home')))
    expect({ moves, upToDate }).toEqual({ moves: [{ from: 'house', to: 'home' }], upToDate: false })
    const kinds = ['replace', 'replace', 'replace', 'create', 'remove', 'keep']
    expect(plan.actions.map(({ kind }) => kind)).toEqual(kinds)
    expect(directory.tree()).toEqual(before)
  })

  it('stays if a generated file in it was edited', async () => {
    using directory = await house()
    directory.write('house/src/main.ts', 'edited\n')
    const before = directory.tree()
    const error = expectError(await updateProject(directory.path, projectOf('home')))
    expect(error.message).toContain('  house/src/main.ts (edited by hand)')
    expect(directory.tree()).toEqual(before)
    expectValue(await updateProject(directory.path, projectOf('home'), { overwrite: true }))
    expect(filesOf(directory)).toEqual({ ...AFTER, 'home/src/main.ts.orig': 'edited\n' })
  })

  it('stays with the files of the user if both directories exist, which is said once', async () => {
    using directory = await house()
    directory.write('home/notes.txt', 'notes\n')
    const update = expectValue(await updateProject(directory.path, projectOf('home')))
    expect(update).toMatchObject({ moves: [], blockedMoves: [{ from: 'house', to: 'home' }] })
    expect(filesOf(directory)).toMatchObject({ 'home/notes.txt': 'notes\n', ...inDirectory('house', MINE) })
    expect(directory.read('home/src/setup.ts')).toBe('first setup of home\n')
    expect(expectValue(await updateProject(directory.path, projectOf('home'))).blockedMoves).toEqual([])
  })

  it('is not moved where it is a link, or where a manifest names another place', async () => {
    using directory = new TestDirectory()
    mkdirSync(join(directory.path, 'out/api/inside'), { recursive: true })
    mkdirSync(join(directory.path, 'outside'))
    const root = join(directory.path, 'out')
    symlinkSync('api', join(root, 'house'))
    for (const from of ['house', '../outside', '.portico', 'api/inside']) {
      expectValue(await updateProject(root, generation({}, { answers: { 'house-db': from } })))
      expect(expectValue(previewProject(root, projectOf('home'))).moves, from).toEqual([])
    }
    expectValue(await updateProject(root, generation({}, { answers: { 'house-db': 'api' } })))
    expect(expectValue(previewProject(root, projectOf('home'))).moves).toEqual([{ from: 'api', to: 'home' }])
  })
})

describe('an interrupted write', () => {
  /** The state before it, and every change that it makes. */
  let before: TestDirectory
  const changes: Change[] = []
  let [journalChange, manifestChange] = [0, 0]

  beforeAll(async () => {
    before = await house()
    using directory = copyOf(before)
    using _watch = watchChanges((_number, change) => changes.push(change))
    expectValue(await updateProject(directory.path, projectOf('home')))
    const { journal, manifest } = statePaths(directory.path)
    journalChange = changes.findIndex(({ paths }) => paths[1] === journal)
    manifestChange = changes.findIndex(({ paths }) => paths[1] === manifest)
  })

  afterAll(() => before[Symbol.dispose]())

  it('moves the directory back, at any point, and the next one completes it', async () => {
    expect(changes[journalChange + 2]?.paths.map((path) => path.split('/').at(-1))).toEqual(['house', 'home'])
    for (let number = journalChange + 1; number <= manifestChange; number++) {
      using directory = copyOf(before)
      await stopAt(directory, number)
      expect(recover({ root: directory.path, state: statePaths(directory.path) })).toBe(true)
      expect(directory.tree(), `change ${number}`).toEqual(before.tree())
      await stopAt(directory, number)
      expectValue(await updateProject(directory.path, projectOf('home')))
      expect(filesOf(directory), `change ${number}`).toEqual(AFTER)
    }
  })

  it('keeps what the user did in between', async () => {
    using directory = copyOf(before)
    await stopAt(directory, manifestChange)
    directory.write('home/src/later.ts', 'later\n')
    expectValue(await updateProject(directory.path, projectOf('home')))
    expect(filesOf(directory)).toEqual({ ...AFTER, 'home/src/later.ts': 'later\n' })
  })

  /** Leaves the project as a process does that ends before a change: its rollback fails at the first step. */
  async function stopAt(directory: TestDirectory, number: number): Promise<void> {
    using _watch = watchChanges((at, { name, paths }) => {
      if (at >= number) throw systemError('EIO', name, paths[0] ?? '')
    })
    await updateProject(directory.path, projectOf('home'))
  }
})

function copyOf(directory: TestDirectory): TestDirectory {
  const copy = new TestDirectory()
  cpSync(directory.path, copy.path, { recursive: true })
  return copy
}

it('the manifest names the directory of a renamed service only', async () => {
  using directory = await house()
  const answers = (): unknown =>
    (JSON.parse(readFileSync(statePaths(directory.path).manifest, 'utf8')) as { answers: unknown }).answers
  expect(answers()).toEqual({})
  expectValue(await updateProject(directory.path, projectOf('home')))
  expect(answers()).toEqual({ 'house-db': 'home' })
})
