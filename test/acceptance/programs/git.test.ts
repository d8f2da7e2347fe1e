import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
  for (const file of tracked.trim().split('\n')) expect(file).toMatch(/\/src\/(?:setup|datastore)\.ts$/)
  const manifest = 'stays/platform/.portico/manifest.json'
  expect(git(EXAMPLES, 'check-ignore', manifest)).toContain(manifest)
})
