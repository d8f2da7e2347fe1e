import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitGitignore } from '../../../src/emit/docs/gitignore.ts'
import { place, WITHOUT_USERS } from './fixture.ts'

interface Credentials {
  readonly consumer: string
  readonly credentials: readonly { readonly id: string; readonly secret: string; readonly expires?: number }[]
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

test('secrets are made once, for this user alone, and each container gets its own', async () => {
  const where = await place()
  const { stdout, stderr } = await where.shell('bash', 'umask 0; ./deploy.sh')
  const root = path.join(where.directory, '.secrets')
  const before = filesBelow(root)
  expect(statSync(root).mode & 0o777).toBe(0o700)
  for (const file of before.filter((name) => !name.endsWith('.gitignore')))
    expect(statSync(file).mode & 0o777, file).toBe(0o600)

  const tar = await where.installed()
  const password = (name: string) => where.read(`.secrets/databases/${name}`)
  expect(Object.keys(tar).sort()).toEqual([
    '1000/auth-secrets/database-password',
    '1000/auth-secrets/gateway-credentials',
    '1000/home-secrets/database-password',
    '1000/home-secrets/gateway-credentials',
    '1000/user-secrets/database-password',
    '1000/user-secrets/gateway-credentials',
    '101/gateway-secrets/tokens.json',
    ...['auth', 'home', 'user'].flatMap((name) => [
      `999/${name}-db-secrets/admin-password`,
      `999/${name}-db-secrets/database-password`,
    ]),
  ])
  expect(tar['1000/home-secrets/database-password']).toBe(password('home/database-password'))
  expect(tar['999/home-db-secrets/admin-password']).toBe(password('home/admin-password'))
  expect(password('home/admin-password')).toMatch(/^[0-9a-f]{64}\n$/)
  const all = ['auth', 'home', 'user'].flatMap((name) =>
    ['admin', 'database'].map((kind) => password(`${name}/${kind}-password`)),
  )
  expect(new Set(all).size).toBe(6)

  const { consumer, credentials } = JSON.parse(
    tar['1000/home-secrets/gateway-credentials'] ?? '',
  ) as Credentials
  expect(consumer).toBe('auth-service')
  expect(credentials.map(({ id }) => id)).toEqual(['auth-service-1'])
  expect(Buffer.from(credentials[0]?.secret ?? '', 'base64url')).toHaveLength(32)
  const tokens = tar['101/gateway-secrets/tokens.json'] ?? ''
  expect(() => JSON.parse(tokens)).not.toThrow()
  expect(tokens).toContain(`\\"k\\":\\"${credentials[0]?.secret}\\"`)

  const secrets = [...all, credentials[0]?.secret ?? ''].map((text) => text.trim())
  const said = `${stdout}${stderr}${where.calls().join('\n')}${where.read('.deploy/log')}`
  for (const secret of secrets) expect(said).not.toContain(secret)
  for (const file of filesBelow(where.directory).filter((name) => !name.startsWith(root)))
    for (const secret of secrets) expect(readFileSync(file, 'utf8'), file).not.toContain(secret)

  const contents = before.map((file) => readFileSync(file, 'utf8'))
  expect((await where.deploy()).status).toBe(0)
  expect(filesBelow(root)).toEqual(before)
  expect(before.map((file) => readFileSync(file, 'utf8'))).toEqual(contents)
  expect(where.tars()).toBe(1)
})

test('without users there are no credentials', async () => {
  const where = await place(WITHOUT_USERS)
  expect((await where.deploy()).status).toBe(0)
  expect(Object.keys(await where.installed()).sort()).toEqual([
    '1000/home-secrets/database-password',
    '999/home-db-secrets/admin-password',
    '999/home-db-secrets/database-password',
  ])
  const { stderr } = await where.deploy('rotate')
  expect(stderr).toBe(
    'deploy.sh: This platform has no authentication, so there is no credential to rotate.\n',
  )
})

test('version control leaves secrets and state out, also where .gitignore is another', async () => {
  const where = await place()
  await where.deploy()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: where.directory, encoding: 'utf8' })
  git('init', '-q')
  expect(git('status', '--porcelain', '--untracked-files=all')).not.toMatch(/secrets|\.deploy/)
  expect(emitGitignore()[0]?.content.split('\n')).toEqual(expect.arrayContaining(['.secrets/', '.deploy/']))
})

test('passwords that are lost while their databases are there are never made anew', async () => {
  const where = await place()
  await where.deploy()
  rmSync(path.join(where.directory, '.secrets'), { recursive: true })
  where.calls()
  const { stderr, status } = await where.deploy()
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^deploy\.sh: The passwords of existing databases are missing from .*\.secrets \(volumes: demo_auth-db-data demo_user-db-data demo_home-db-data\): put .* back from a backup, or delete the data with \.\/deploy\.sh destroy, and run this again\.\n$/,
  )
  expect(readdirSync(path.join(where.directory, '.secrets'))).toEqual(['.gitignore'])
  expect(where.calls().filter((call) => /compose (?:build|up|run)/.test(call))).toEqual([])
})

test('a lost credential is explained, and not made anew', async () => {
  const where = await place()
  await where.deploy()
  rmSync(path.join(where.directory, '.secrets/credentials'), { recursive: true })
  const { stderr, status } = await where.deploy()
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /The credential that signs tokens is missing \(.*\): put .* back from a backup; or, /,
  )
})
