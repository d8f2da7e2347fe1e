import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { pathOf, type Action, type Generation } from '../../src/output/plan.ts'
import { previewProject, updateProject, type Update } from '../../src/output/update-project.ts'
import { expectError, expectValue, generation, TestDirectory } from './project.ts'

const FIRST = {
  'README.md': 'readme\n',
  'home/src/main.ts': 'main\n',
  'home/src/setup.ts': 'setup\n',
  'host/src/main.ts': 'main\n',
  'host/src/setup.ts': 'setup\n',
}

/** What happened to each path, by kind. */
function kinds({ plan }: Update): Record<string, Action['kind']> {
  return Object.fromEntries(plan.actions.map((action) => [pathOf(action), action.kind]))
}

async function update(
  directory: TestDirectory,
  files: Record<string, string> | Generation,
  overwrite = false,
) {
  const wanted =
    'files' in files && Array.isArray(files.files)
      ? (files as Generation)
      : generation(files as Record<string, string>)
  return updateProject(directory.path, wanted, { overwrite })
}

describe('a first generation', () => {
  it('creates the directory and writes everything', async () => {
    using directory = new TestDirectory()
    const root = join(directory.path, 'deep/below')
    const { plan, upToDate } = expectValue(await updateProject(root, generation(FIRST)))
    expect(upToDate).toBe(false)
    expect(plan.actions.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'create'))
    const tree = directory.tree()
    for (const [path, text] of Object.entries(FIRST)) expect(tree[`deep/below/${path}`]).toBe(text)
    expect(readdirSync(join(root, '.portico')).sort()).toEqual(['.gitignore', 'lock', 'manifest.json'])
  })

  it('into a directory with other files does not change them', async () => {
    using directory = new TestDirectory()
    directory.write('notes.txt', 'mine')
    directory.write('home/src/notes.ts', 'mine')
    expectValue(await update(directory, FIRST))
    expect(directory.tree()).toMatchObject({ ...FIRST, 'notes.txt': 'mine', 'home/src/notes.ts': 'mine' })
  })

  it('stops if one of them is in the way, and leaves no trace', async () => {
    using directory = new TestDirectory()
    directory.write('README.md', 'mine')
    const error = expectError(await update(directory, FIRST))
    expect(error.code).toBe('conflict')
    expect(error.message).toContain('  README.md (not written by Portico)')
    expect(error.help).toMatch(
      /^choose another directory with `--output`, or replace the files with `portico generate --overwrite`/,
    )
    expect(readdirSync(directory.path)).toEqual(['README.md'])
    expect(directory.read('README.md')).toBe('mine')
  })

  it('adopts files that are as it would write them, as in a clone without the manifest', async () => {
    using directory = new TestDirectory()
    for (const [path, text] of Object.entries(FIRST)) directory.write(path, text)
    directory.write('home/src/setup.ts', 'mine\n')
    expectValue(await update(directory, FIRST))
    expect(directory.read('home/src/setup.ts')).toBe('mine\n')
    expect(kinds(expectValue(await update(directory, { ...FIRST, 'README.md': 'new\n' })))['README.md']).toBe(
      'replace',
    )
  })
})

describe('a further generation', () => {
  it('changes nothing if nothing has changed', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    const before = statSync(join(directory.path, '.portico/manifest.json'))
    const { upToDate, plan } = expectValue(await update(directory, FIRST))
    expect(upToDate).toBe(true)
    expect(plan.actions.every(({ kind }) => kind === 'unchanged' || kind === 'keep')).toBe(true)
    expect(statSync(join(directory.path, '.portico/manifest.json')).ino).toBe(before.ino)
  })

  it('writes only what changed', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    const before = statSync(join(directory.path, 'home/src/main.ts')).ino
    const outcome = expectValue(
      await update(directory, { ...FIRST, 'README.md': 'new\n', 'home/src/routes.ts': 'routes\n' }),
    )
    expect(kinds(outcome)).toEqual({
      'README.md': 'replace',
      'home/src/main.ts': 'unchanged',
      'home/src/routes.ts': 'create',
      'home/src/setup.ts': 'keep',
      'host/src/main.ts': 'unchanged',
      'host/src/setup.ts': 'keep',
    })
    expect(statSync(join(directory.path, 'home/src/main.ts')).ino).toBe(before)
  })

  it('never writes a user file again, whatever its content would be now', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    expectValue(await update(directory, { ...FIRST, 'home/src/setup.ts': 'another\n' }, true))
    expect(directory.read('home/src/setup.ts')).toBe('setup\n')
    directory.write('home/src/setup.ts', '')
    expectValue(await update(directory, { ...FIRST, 'home/src/setup.ts': 'another\n' }, true))
    expect(directory.read('home/src/setup.ts')).toBe('')
  })

  it('restores required files that were deleted, and reports them', async () => {
    using directory = new TestDirectory()
    const files: GeneratedFile[] = [
      ...generation(FIRST).files,
      { path: '.gitignore', content: 'node_modules/\n', owner: 'user', optional: true },
    ]
    expectValue(await update(directory, { ...generation({}), files }))
    for (const path of ['home/src/setup.ts', 'home/src/main.ts', '.gitignore'])
      rmSync(join(directory.path, path))
    const { plan } = expectValue(await update(directory, { ...generation({}), files }))
    const again = plan.actions.filter((action) => action.kind === 'create' && action.restored)
    expect(again.map(pathOf)).toEqual(['home/src/main.ts', 'home/src/setup.ts'])
    expect(existsSync(join(directory.path, '.gitignore'))).toBe(false)
    expect(expectValue(await update(directory, { ...generation({}), files })).upToDate).toBe(true)
  })

  it('stops at edited files, names them, and changes nothing', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    directory.write('home/src/main.ts', 'main\n// edited\n')
    directory.write('host/src/main.ts', '')
    const before = directory.tree()
    const error = expectError(await update(directory, { ...FIRST, 'README.md': 'new\n' }))
    expect(error.message).toBe(
      [
        `Could not write to \`${directory.path}\` without overwriting these files:`,
        '  home/src/main.ts (edited by hand)',
        '  host/src/main.ts (edited by hand)',
      ].join('\n'),
    )
    expect(directory.tree()).toEqual(before)
    // Also where the file would not even be written.
    expectError(await update(directory, FIRST))
  })

  it('lists no more files than can be read', async () => {
    using directory = new TestDirectory()
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`f${number}`, 'text']))
    for (const path of Object.keys(files)) directory.write(path, 'mine')
    const lines = expectError(await update(directory, files)).message.split('\n')
    expect(lines).toHaveLength(22)
    expect(lines.at(-1)).toBe('  and 30 more')
  })

  it('keeps a backup with --overwrite, and every earlier one', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    for (const edit of ['one', 'two', 'three']) {
      directory.write('home/src/main.ts', edit)
      expectValue(await update(directory, FIRST, true))
    }
    expect(directory.tree()).toMatchObject({
      ...FIRST,
      'home/src/main.ts.orig': 'one',
      'home/src/main.ts.orig.2': 'two',
      'home/src/main.ts.orig.3': 'three',
    })
  })

  it('ignores converted line endings, but not an edit among them', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    directory.write('home/src/main.ts', 'main\r\n')
    const manifest = directory.read('.portico/manifest.json')
    directory.write('.portico/manifest.json', manifest.replaceAll('\n', '\r\n'))
    expect(expectValue(await update(directory, FIRST)).upToDate).toBe(true)
    expect(directory.read('home/src/main.ts')).toBe('main\r\n')
    expectValue(await update(directory, { ...FIRST, 'home/src/main.ts': 'new\n' }))
    expect(directory.read('home/src/main.ts')).toBe('new\n')
    directory.write('home/src/main.ts', 'edited\r\n')
    expectError(await update(directory, FIRST))
  })
})

describe('a service that was removed from the definition', () => {
  const ONE = { 'README.md': 'readme\n', 'home/src/main.ts': 'main\n', 'home/src/setup.ts': 'setup\n' }

  it('is removed completely if nothing was edited', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    const outcome = expectValue(await update(directory, ONE))
    expect(kinds(outcome)).toMatchObject({ 'host/src/main.ts': 'remove', 'host/src/setup.ts': 'remove' })
    expect(existsSync(join(directory.path, 'host'))).toBe(false)
    expect(directory.read('.portico/manifest.json')).not.toContain('host')
  })

  it('leaves files that the user may have changed, lists them, and uses them again', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    directory.write('host/src/setup.ts', 'hooks\n')
    directory.write('host/src/notes.ts', 'notes\n')
    const outcome = expectValue(await update(directory, ONE))
    expect(outcome.plan.actions).toContainEqual({ kind: 'keep', path: 'host/src/setup.ts', reason: 'edited' })
    const left = { ...ONE, 'host/src/setup.ts': 'hooks\n', 'host/src/notes.ts': 'notes\n' }
    const tree = directory.tree()
    delete tree['.portico/manifest.json']
    expect(tree).toEqual(left)
    // It is listed again, and is not an obstacle; a check finds the project current.
    const again = expectValue(await update(directory, ONE))
    expect(again.upToDate).toBe(true)
    expect(again.plan.actions).toContainEqual({ kind: 'keep', path: 'host/src/setup.ts', reason: 'edited' })
    expectValue(await update(directory, FIRST))
    expect(directory.read('host/src/setup.ts')).toBe('hooks\n')
    expect(directory.read('host/src/main.ts')).toBe('main\n')
  })

  it('leaves an edited generated file, which is a conflict when the service is added again', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    directory.write('host/src/main.ts', 'edited\n')
    expectValue(await update(directory, ONE))
    expect(directory.read('host/src/main.ts')).toBe('edited\n')
    expect(expectError(await update(directory, FIRST)).message).toContain('host/src/main.ts (edited by hand)')
    directory.write('host/src/main.ts', 'main\n')
    expectValue(await update(directory, ONE))
    expect(existsSync(join(directory.path, 'host'))).toBe(false)
  })

  it('is forgotten if its files were deleted', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    rmSync(join(directory.path, 'host'), { recursive: true })
    expectValue(await update(directory, ONE))
    expect(directory.read('.portico/manifest.json')).not.toContain('host')
  })
})

describe('a preview', () => {
  it('returns the changes and changes nothing, not even the directory', async () => {
    using directory = new TestDirectory()
    const root = join(directory.path, 'new')
    expect(kinds(expectValue(previewProject(root, generation(FIRST))))).toMatchObject({
      'README.md': 'create',
    })
    expect(existsSync(root)).toBe(false)
    expectValue(await updateProject(root, generation(FIRST)))
    writeFileSync(join(root, 'README.md'), 'edited')
    const before = directory.tree()
    const { plan, upToDate } = expectValue(previewProject(root, generation({ ...FIRST, 'new.ts': 'new' })))
    expect(upToDate).toBe(false)
    expect(plan.conflicts).toEqual([{ kind: 'edited', path: 'README.md', reason: 'edited by hand' }])
    expect(directory.tree()).toEqual(before)
  })

  it('matches the generation', async () => {
    using directory = new TestDirectory()
    expectValue(await update(directory, FIRST))
    directory.write('README.md', 'edited')
    const next = generation({ 'README.md': 'new\n', 'home/src/main.ts': 'new\n', 'x/y': 'new\n' })
    const preview = expectValue(previewProject(directory.path, next, { overwrite: true }))
    const outcome = expectValue(await updateProject(directory.path, next, { overwrite: true }))
    expect(kinds(outcome)).toEqual(kinds(preview))
  })
})

it('makes scripts executable', async () => {
  using directory = new TestDirectory()
  const script: GeneratedFile = {
    path: 'deploy.sh',
    content: '#!/bin/sh\n',
    owner: 'generated',
    executable: true,
  }
  expectValue(
    await update(directory, {
      ...generation({ a: 'text' }),
      files: [script, { ...script, path: 'a', executable: false }],
    }),
  )
  expect(statSync(join(directory.path, 'deploy.sh')).mode & 0o111).toBe(0o111)
  expect(statSync(join(directory.path, 'a')).mode & 0o111).toBe(0)
})

it('replaces a read-only generated file', async () => {
  using directory = new TestDirectory()
  expectValue(await update(directory, FIRST))
  chmodSync(join(directory.path, 'README.md'), 0o444)
  expectValue(await update(directory, { ...FIRST, 'README.md': 'new\n' }))
  expect(directory.read('README.md')).toBe('new\n')
})

it('remembers answers and the definition', async () => {
  using directory = new TestDirectory()
  const definition = 'P: project {}'
  expectValue(
    await update(directory, { ...generation(FIRST), answers: { module: 'example.org/a' }, definition }),
  )
  const { previous } = expectValue(await update(directory, { ...generation(FIRST), answers: { other: 'x' } }))
  expect(previous.definition).toBe(definition)
  expect(previous.answers).toEqual({ module: 'example.org/a' })
  const last = expectValue(await update(directory, FIRST))
  expect(last.previous.answers).toEqual({ module: 'example.org/a', other: 'x' })
})

it('does not change other files in the state directory', async () => {
  using directory = new TestDirectory()
  mkdirSync(join(directory.path, '.portico/dev'), { recursive: true })
  writeFileSync(join(directory.path, '.portico/dev/data'), 'data')
  expectValue(await update(directory, FIRST))
  expectValue(await update(directory, { a: 'b' }))
  expect(readdirSync(join(directory.path, '.portico')).sort()).toEqual([
    '.gitignore',
    'dev',
    'lock',
    'manifest.json',
  ])
})
