import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { updateProject, previewProject } from '../../src/output/update-project.ts'
import { expectError, expectValue, generation, TestDirectory } from './project.ts'

const FILES = generation({
  'README.md': 'readme\n',
  'home/src/main.ts': 'main\n',
  'home/src/setup.ts': 'setup\n',
})

describe.each([{ overwrite: false }, { overwrite: true }])('with %j', (options) => {
  it.each(['home', 'home/src'])('a symbolic link %s leads nowhere', async (link) => {
    using outside = new TestDirectory()
    using directory = new TestDirectory()
    outside.write('src/main.ts', 'theirs\n')
    outside.write('main.ts', 'theirs\n')
    const before = outside.tree()
    mkdirSync(join(directory.path, link, '..'), { recursive: true })
    symlinkSync(outside.path, join(directory.path, link))
    const error = expectError(await updateProject(directory.path, FILES, options))
    expect(error.code).toBe('conflict')
    expect(error.message).toContain(`${link} (a symbolic link, expected a directory)`)
    expect(outside.tree()).toEqual(before)
    expect(existsSync(join(directory.path, 'README.md'))).toBe(false)
  })

  it('a link that was created after a generation is not followed, neither to write nor to remove', async () => {
    using outside = new TestDirectory()
    using directory = new TestDirectory()
    expectValue(await updateProject(directory.path, FILES))
    renameSync(join(directory.path, 'home/src'), join(outside.path, 'src'))
    symlinkSync(join(outside.path, 'src'), join(directory.path, 'home/src'))
    const before = outside.tree()
    const changed = generation({
      'README.md': 'readme\n',
      'home/src/main.ts': 'changed\n',
      'home/src/setup.ts': 'setup\n',
    })
    expectError(await updateProject(directory.path, changed, options))
    expect(outside.tree()).toEqual(before)
    // The service is removed from the definition: the target of the link is not removed.
    expectValue(await updateProject(directory.path, generation({ 'README.md': 'readme\n' }), options))
    expect(outside.tree()).toEqual(before)
  })

  it.each([
    '.portico',
    '.portico/manifest.json',
    '.portico/staging',
    '.portico/lock',
    '.portico/journal.json',
  ])('a link %s stops everything', async (link) => {
    for (const dangling of [false, true]) {
      using outside = new TestDirectory()
      using directory = new TestDirectory()
      expectValue(await updateProject(directory.path, FILES))
      outside.write('target/manifest.json', directory.read('.portico/manifest.json'))
      outside.write('target/file', 'theirs')
      const target = dangling
        ? 'missing'
        : link === '.portico' || link === '.portico/staging'
          ? 'target'
          : 'target/file'
      const before = outside.tree()
      rmSync(join(directory.path, link), { recursive: true, force: true })
      symlinkSync(join(outside.path, target), join(directory.path, link))
      const error = expectError(
        await updateProject(directory.path, generation({ 'README.md': 'changed\n' }), options),
      )
      expect(error.code).toBe('obstacle')
      expect(error.message).toContain(`\`${join(directory.path, link)}\` is not a `)
      expect(directory.read('README.md')).toBe('readme\n')
      expect(outside.tree()).toEqual(before)
    }
  })
})

it('does not write through a link in place of a file, and keeps the link with --overwrite', async () => {
  using outside = new TestDirectory()
  using directory = new TestDirectory()
  outside.write('profile', 'theirs\n')
  symlinkSync(join(outside.path, 'profile'), join(directory.path, 'README.md'))
  expect(expectError(await updateProject(directory.path, FILES)).message).toContain(
    'README.md (a symbolic link',
  )
  expectValue(await updateProject(directory.path, FILES, { overwrite: true }))
  expect(outside.tree()).toEqual({ profile: 'theirs\n' })
  expect(directory.tree()).toMatchObject({
    'README.md': 'readme\n',
    'README.md.orig': `-> ${join(outside.path, 'profile')}`,
  })
})

it('does not change a user file that is a link', async () => {
  using outside = new TestDirectory()
  using directory = new TestDirectory()
  outside.write('setup.ts', 'theirs\n')
  mkdirSync(join(directory.path, 'home/src'), { recursive: true })
  symlinkSync(join(outside.path, 'setup.ts'), join(directory.path, 'home/src/setup.ts'))
  expectValue(await updateProject(directory.path, FILES))
  expect(outside.read('setup.ts')).toBe('theirs\n')
  expect(directory.tree()['home/src/setup.ts']).toBe(`-> ${join(outside.path, 'setup.ts')}`)
})

it('follows a link to the output directory', async () => {
  using directory = new TestDirectory()
  mkdirSync(join(directory.path, 'real'))
  symlinkSync('real', join(directory.path, 'link'))
  expectValue(await updateProject(join(directory.path, 'link'), FILES))
  expect(readFileSync(join(directory.path, 'real/README.md'), 'utf8')).toBe('readme\n')
  symlinkSync('missing', join(directory.path, 'dangling'))
  const error = expectError(await updateProject(join(directory.path, 'dangling'), FILES))
  expect(error.message).toBe(`\`${join(directory.path, 'dangling')}\` is not a directory`)
})

it('reports a directory, a pipe or a file in the way', async () => {
  using directory = new TestDirectory()
  mkdirSync(join(directory.path, 'README.md/inner'), { recursive: true })
  directory.write('home', 'a file\n')
  const before = directory.tree()
  const error = expectError(await updateProject(directory.path, FILES, { overwrite: true }))
  expect(error.message.split('\n').slice(1)).toEqual(['  home (a file, expected a directory)'])
  rmSync(join(directory.path, 'home'))
  execFileSync('mkfifo', [join(directory.path, 'home.pipe')])
  const files = generation({ 'README.md': 'readme\n', 'home.pipe': 'text\n' })
  expect(
    expectError(await updateProject(directory.path, files))
      .message.split('\n')
      .slice(1),
  ).toEqual(['  README.md (a directory)', '  home.pipe (not a regular file)'])
  expect(Object.keys(before)).toContain('README.md/inner/')
  expectValue(await updateProject(directory.path, files, { overwrite: true }))
  expect(readdirSync(directory.path).sort()).toEqual([
    '.portico',
    'README.md',
    'README.md.orig',
    'home.pipe',
    'home.pipe.orig',
  ])
  expect(existsSync(join(directory.path, 'README.md.orig/inner'))).toBe(true)
})

it('rejects paths that leave the directory or collide', async () => {
  using directory = new TestDirectory()
  for (const path of ['../x', '/tmp/portico-x', 'home/../../x', '.portico/lock', '.git/config', 'a\\..\\b']) {
    const outcome = await updateProject(directory.path, generation({ [path]: 'x' }), { overwrite: true })
    expect(expectError(outcome).code).toBe('path')
    expect(expectError(previewProject(directory.path, generation({ [path]: 'x' }))).code).toBe('path')
  }
  expectError(await updateProject(directory.path, generation({ 'a/Main.ts': 'x', 'a/main.ts': 'y' })))
  expect(readdirSync(directory.path)).toEqual([])
})

it('recognizes a path that is a file, or below one', async () => {
  using directory = new TestDirectory()
  directory.write('file', 'text')
  expect(expectError(await updateProject(join(directory.path, 'file'), FILES)).message).toBe(
    `\`${join(directory.path, 'file')}\` is not a directory`,
  )
  expect(expectError(await updateProject(join(directory.path, 'file/below'), FILES)).code).toBe('system')
  expect(directory.tree()).toEqual({ file: 'text' })
})
