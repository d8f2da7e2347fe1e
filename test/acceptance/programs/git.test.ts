import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, temporaryDirectory } from '../../cli/harness.ts'
import { deployment } from '../../emit/deploy/fixture.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' })

test('git ignores the secrets of a deployment, whatever .gitignore contains', async () => {
  const where = deployment()
  await where.deploy()
  git(where.directory, 'init', '-q')
  expect(git(where.directory, 'status', '--porcelain', '--untracked-files=all')).not.toContain('secrets')
})

test('running an example changes no tracked file', () => {
  const tracked = git(EXAMPLES, 'ls-files', '*/platform/*')
  for (const file of tracked.trim().split('\n'))
    expect(file).toMatch(
      /\/src\/(?:setup|datastore|settings|csv|signature)\.ts$|\/test\/[\w-]+\.test\.ts$|-db\/migrations\/|\/(?:setup|datastore|settings|\w+_test)\.go$/,
    )
  const manifest = 'stays/platform/.portico/manifest.json'
  expect(git(EXAMPLES, 'check-ignore', manifest)).toContain(manifest)
})

test('a clone with `core.autocrlf` has the line ends that scripts need', async () => {
  const [original, clone] = [temporaryDirectory(), join(temporaryDirectory(), 'clone')]
  writeFileSync(join(original, 'notes.portico'), 'Notes: project {}\nNote: service { text: string; }\n')
  expect((await run(['generate', 'notes.portico'], { cwd: original })).status).toBe(0)
  git(original, 'init', '-q')
  git(original, 'add', '.')
  git(original, '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'Generate')
  git(original, '-c', 'core.autocrlf=true', 'clone', '-q', '.', clone)
  const ends = git(clone, 'ls-files', '--eol').trim().split('\n')
  expect(ends.filter((line) => line.includes('w/crlf')).map((line) => line.split('\t')[1])).toEqual([
    'notes.portico',
  ])
  expect((await run(['generate', 'notes.portico', '--check'], { cwd: clone })).status).toBe(0)
})
