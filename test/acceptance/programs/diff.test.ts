import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { run, temporaryDirectory } from '../../cli/harness.ts'

const OLDER = 'Shop: project {} Order: service { note: string(80); }'
const NEWER = 'Shop: project {} Order: service { note: string(40); }'

let cwd = ''
const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd, env })
}

function diff(file: string, revision: string, environment: Readonly<Record<string, string>> = {}) {
  return run(['diff', file, '--against', revision], {
    cwd,
    env: { ...env, ...environment },
  })
}

beforeEach(() => {
  cwd = temporaryDirectory()
  git('init', '--quiet')
  mkdirSync(join(cwd, 'shops'))
  writeFileSync(join(cwd, 'shops/shop.portico'), OLDER)
  git('add', 'shops')
  git('commit', '--quiet', '--message', 'Add a shop')
  git('tag', 'v1')
  writeFileSync(join(cwd, 'shops/shop.portico'), NEWER)
  writeFileSync(join(cwd, 'new.portico'), NEWER)
})

test('`portico diff --against` compares with the same file at a revision, through a symbolic link too', async () => {
  symlinkSync('shops/shop.portico', join(cwd, 'link.portico'))
  for (const file of ['shops/shop.portico', 'link.portico']) {
    const { status, stdout, stderr } = await diff(file, 'v1')
    expect({ status, stderr, first: stdout.split('\n')[1]?.trim() }).toEqual({
      status: 0,
      stderr: '',
      first: 'POST /api/order',
    })
  }
})

test('it works in a Git hook, where Git sets variables for its working directory', async () => {
  const { status } = await diff('shops/shop.portico', 'v1', { GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index' })
  expect(status).toBe(0)
})

test('it names the revision of a definition with errors', async () => {
  writeFileSync(join(cwd, 'shops/shop.portico'), 'Shop: project {}\n')
  git('commit', '--quiet', '--all', '--message', 'Remove everything')
  writeFileSync(join(cwd, 'shops/shop.portico'), OLDER)
  const { status, stderr } = await diff('shops/shop.portico', 'HEAD')
  expect(status).toBe(1)
  expect(stderr).toContain('HEAD:shops/shop.portico: 1 error\n')
})

test('it reports what it cannot read', async () => {
  const error = (message: string) => ({ stdout: '', stderr: `error: ${message}\n` })
  const file = 'shops/shop.portico'
  expect(await diff(file, 'v2')).toEqual({
    status: 2,
    ...error('Unknown Git revision `v2`\nhelp: use a branch, a tag or a commit'),
  })
  expect((await diff(file, '--all')).stderr).toContain('`--against` requires a value')
  expect(await diff('new.portico', 'v1')).toEqual({
    status: 3,
    ...error('Could not read `new.portico`: it does not exist at v1'),
  })
  rmSync(join(cwd, '.git'), { recursive: true })
  git('init', '--quiet')
  expect(await diff(file, 'HEAD')).toEqual({
    status: 2,
    ...error('Unknown Git revision `HEAD`\nhelp: the repository has no commits yet'),
  })
  rmSync(join(cwd, '.git'), { recursive: true })
  expect(await diff(file, 'v1')).toEqual({
    status: 3,
    ...error(
      `\`${file}\` is not in a Git repository\nhelp: pass the older definition as a file: \`portico diff <old> <new>\``,
    ),
  })
})

test('it reads imported files at the revision', async () => {
  const main = 'import "parts/order.portico";\nShop: project {}\n'
  mkdirSync(join(cwd, 'shops/parts'))
  writeFileSync(join(cwd, 'shops/shop.portico'), main)
  writeFileSync(join(cwd, 'shops/parts/order.portico'), 'Order: service { note: string(80); }')
  git('add', 'shops/shop.portico')
  git('commit', '--quiet', '--message', 'Import what is not tracked')
  const { status, stderr } = await diff('shops/shop.portico', 'HEAD')
  expect(status).toBe(1)
  expect(stderr).toContain('Could not read `parts/order.portico`: it does not exist at HEAD\n')
  git('add', 'shops/parts')
  git('commit', '--quiet', '--message', 'Track it')
  writeFileSync(join(cwd, 'shops/parts/order.portico'), 'Order: service { note: string(40); }')
  expect((await diff('shops/shop.portico', 'HEAD')).stdout).toContain('`Order.note` accepts fewer values')
})
