import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { updateProject, previewProject } from '../../src/output/update-project.ts'
import { expectProblem, expectValue, generation, TestDirectory } from './project.ts'

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
    const problem = expectProblem(await updateProject(directory.path, FILES, options))
    expect(problem.code).toBe('conflict')
    expect(problem.message).toContain(
      `${link} (a symbolic link, which generation never follows where a directory should be)`,
    )
    expect(outside.tree()).toEqual(before)
    expect(existsSync(join(directory.path, 'README.md'))).toBe(false)
  })

  it('a link planted after a generation is not followed, neither to write nor to remove', async () => {
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
    expectProblem(await updateProject(directory.path, changed, options))
    expect(outside.tree()).toEqual(before)
    // The service leaves the definition: what lies behind the link is not ours to remove.
    expectValue(await updateProject(directory.path, generation({ 'README.md': 'readme\n' }), options))
    expect(outside.tree()).toEqual(before)
  })

  it.each([
    '.portico',
    '.portico/manifest.json',
    '.portico/staging',
    '.portico/lock',
    '.portico/journal.json',
    '.portico/undoing.json',
    '.portico/holder',
    '.portico/.gitignore',
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
      const problem = expectProblem(
        await updateProject(directory.path, generation({ 'README.md': 'changed\n' }), options),
      )
      expect(problem.code).toBe('obstacle')
      expect(problem.message).toContain(`${join(directory.path, link)} is not a `)
      expect(directory.read('README.md')).toBe('readme\n')
      expect(outside.tree()).toEqual(before)
    }
  })
})

it('does not write through a link in place of a file, and keeps the link when told to overwrite', async () => {
  using outside = new TestDirectory()
  using directory = new TestDirectory()
  outside.write('profile', 'theirs\n')
  symlinkSync(join(outside.path, 'profile'), join(directory.path, 'README.md'))
  expect(expectProblem(await updateProject(directory.path, FILES)).message).toContain(
    'README.md (a symbolic link',
  )
  expectValue(await updateProject(directory.path, FILES, { overwrite: true }))
  expect(outside.tree()).toEqual({ profile: 'theirs\n' })
  expect(directory.tree()).toMatchObject({
    'README.md': 'readme\n',
    'README.md.orig': `-> ${join(outside.path, 'profile')}`,
  })
})

it('leaves a user file that is a link alone', async () => {
  using outside = new TestDirectory()
  using directory = new TestDirectory()
  outside.write('setup.ts', 'theirs\n')
  mkdirSync(join(directory.path, 'home/src'), { recursive: true })
  symlinkSync(join(outside.path, 'setup.ts'), join(directory.path, 'home/src/setup.ts'))
  expectValue(await updateProject(directory.path, FILES))
  expect(outside.read('setup.ts')).toBe('theirs\n')
  expect(directory.tree()['home/src/setup.ts']).toBe(`-> ${join(outside.path, 'setup.ts')}`)
})

it('works through a link that the user made to the output directory', async () => {
  using directory = new TestDirectory()
  mkdirSync(join(directory.path, 'real'))
  symlinkSync('real', join(directory.path, 'link'))
  expectValue(await updateProject(join(directory.path, 'link'), FILES))
  expect(readFileSync(join(directory.path, 'real/README.md'), 'utf8')).toBe('readme\n')
  symlinkSync('missing', join(directory.path, 'dangling'))
  const problem = expectProblem(await updateProject(join(directory.path, 'dangling'), FILES))
  expect(problem.message).toBe(`${join(directory.path, 'dangling')} is a symbolic link that leads nowhere.`)
})

it('says where a directory, a pipe or a file is in the way', async () => {
  using directory = new TestDirectory()
  mkdirSync(join(directory.path, 'README.md/inner'), { recursive: true })
  directory.write('home', 'a file\n')
  const before = directory.tree()
  const problem = expectProblem(await updateProject(directory.path, FILES, { overwrite: true }))
  expect(problem.message.split('\n').slice(1)).toEqual(['  home (a file where a directory should be)'])
  rmSync(join(directory.path, 'home'))
  execFileSync('mkfifo', [join(directory.path, 'home.pipe')])
  const files = generation({ 'README.md': 'readme\n', 'home.pipe': 'text\n' })
  expect(
    expectProblem(await updateProject(directory.path, files))
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

it('never lays a file where its path would lead out or meet another', async () => {
  using directory = new TestDirectory()
  for (const path of ['../x', '/tmp/portico-x', 'home/../../x', '.portico/lock', '.git/config', 'a\\..\\b']) {
    const outcome = await updateProject(directory.path, generation({ [path]: 'x' }), { overwrite: true })
    expect(expectProblem(outcome).code).toBe('path')
    expect(expectProblem(previewProject(directory.path, generation({ [path]: 'x' }))).code).toBe('path')
  }
  expectProblem(await updateProject(directory.path, generation({ 'a/Main.ts': 'x', 'a/main.ts': 'y' })))
  expect(readdirSync(directory.path)).toEqual([])
})

it('takes a path that is a file, or below one, for what it is', async () => {
  using directory = new TestDirectory()
  directory.write('file', 'text')
  expect(expectProblem(await updateProject(join(directory.path, 'file'), FILES)).message).toBe(
    `${join(directory.path, 'file')} is not a directory.`,
  )
  expect(expectProblem(await updateProject(join(directory.path, 'file/below'), FILES)).code).toBe('system')
  expect(directory.tree()).toEqual({ file: 'text' })
})
