import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitDeployScript } from '../../../src/emit/deploy/deploy-script.ts'
import { platformOf } from '../platform.ts'
import { ENV_FILE, ENV_VALUES, PRINT_SETTINGS } from './env-file.ts'
import { type Deployment, deployment, ended, killedAtWrite, WITH_USERS, WITHOUT_USERS } from './fixture.ts'

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort()
}

const secretsOf = ({ directory }: Deployment): string[] => filesBelow(path.join(directory, '.secrets'))

test('each container has a directory of its own, below one that only its owner can enter', async () => {
  const project = deployment()
  await project.shell('bash', 'umask 077; ./deploy.sh')
  expect(secretsOf(project)).toEqual(
    [
      '.gitignore',
      'credentials',
      'gateway/tokens.json',
      ...['auth', 'home-owner', 'user'].flatMap((name) => [
        `${name}/database-password`,
        `${name}/env`,
        `${name}/gateway-credentials`,
        `${name}-db/admin-password`,
        `${name}-db/database-password`,
      ]),
    ].sort(),
  )
  const mode = (file: string) => statSync(path.join(project.directory, '.secrets', file)).mode & 0o777
  expect(mode('')).toBe(0o700)
  // The users of the containers are others than the owner.
  for (const directory of ['auth', 'auth-db', 'gateway']) expect(mode(directory)).toBe(0o755)
  expect(mode('auth/database-password')).toBe(0o644)
  expect(statSync(path.join(project.directory, 'postgres/create-role.sh')).mode & 0o444).toBe(0o444)
  const passwords = ['auth', 'home-owner', 'user'].flatMap((name) => [
    project.read(`.secrets/${name}-db/admin-password`),
    project.read(`.secrets/${name}-db/database-password`),
  ])
  expect(new Set(passwords).size).toBe(6)
  expect(project.read('.secrets/user-db/database-password')).toBe(
    project.read('.secrets/user/database-password'),
  )
})

test('secrets are made once, and appear nowhere else', async () => {
  const project = deployment()
  const first = await project.deploy()
  const texts = () => secretsOf(project).map((file) => project.read(`.secrets/${file}`))
  const before = texts()
  const second = await project.deploy()
  expect(texts()).toEqual(before)
  const [, secret = ''] = project.read('.secrets/credentials').trim().split(' ')
  const said = [first.stderr, first.stdout, second.stderr, ...project.calls()].join('\n')
  for (const text of [secret, project.read('.secrets/user/database-password').trim()]) {
    expect(text).toMatch(/^[\w-]{43}$/)
    expect(said).not.toContain(text)
    for (const file of filesBelow(project.directory).filter((name) => !name.startsWith('.secrets/')))
      expect(readFileSync(path.join(project.directory, file), 'utf8'), file).not.toContain(text)
  }
  expect(project.read('.secrets/user/gateway-credentials')).toBe(
    `{"credentials":[{"id":"auth-service-1","secret":"${secret}"}]}\n`,
  )
  expect(JSON.parse(project.read('.secrets/gateway/tokens.json'))).toBeTypeOf('object')
  expect(project.read('.secrets/gateway/tokens.json')).toContain(`\\"k\\":\\"${secret}\\"`)
})

test('a renamed service keeps its secrets', async () => {
  const project = deployment()
  await project.deploy()
  const texts = () => secretsOf(project).map((file) => [file, project.read(`.secrets/${file}`)])
  const before = texts()
  const [renamed] = emitDeployScript(
    platformOf(WITH_USERS.replace('HomeOwner: service {', 'Host: service { #was(HomeOwner);')),
  )
  project.write('deploy.sh', renamed?.content ?? '')
  project.answer('volume-inspect', '[]')
  const { status, stderr } = await project.deploy()
  expect(status, stderr).toBe(0)
  expect(texts()).toEqual(before)
  expect((await project.deploy('scale', 'host', '2')).stderr).toBe('HOST_REPLICAS=2 is set in .env\n')
})

test('without authentication there are no credentials', async () => {
  const project = deployment(WITHOUT_USERS)
  await project.deploy()
  expect(secretsOf(project)).toEqual([
    '.gitignore',
    'home-db/admin-password',
    'home-db/database-password',
    'home/database-password',
    'home/env',
  ])
  expect((await project.deploy('rotate')).stderr).toBe(
    'deploy.sh: Demo has no authentication, so it has no credential\n',
  )
  expect((await project.deploy('help')).stdout).not.toContain('rotate')
})

test('a container has the variables of `<service>/.env`, as Node reads them', async () => {
  const project = deployment()
  project.write('user/.env', ENV_FILE)
  await project.deploy()
  const [line = '', ...more] = project.read('.secrets/user/env').split('\n')
  expect(more).toEqual([''])
  // Compose reads such a line as it is.
  expect(line).toMatch(/^ENV_BASE64=[A-Za-z\d+/]+=*$/)
  const compose = { ENV_BASE64: line.slice('ENV_BASE64='.length) }
  const kubernetes = { ENV_FILE: path.join(project.directory, 'user/.env') }
  const [, ...args] = PRINT_SETTINGS
  const templates = path.join(import.meta.dirname, '../../../templates/typescript')
  const read = (env: Readonly<Record<string, string>>) => ended(process.execPath, args, templates, env)
  for (const env of [compose, kubernetes]) {
    expect(JSON.parse((await read(env)).stdout)).toEqual(ENV_VALUES)
    const given = await read({ ...env, FIRST: 'given', EMPTY: 'given' })
    expect(JSON.parse(given.stdout)).toEqual({ ...ENV_VALUES, FIRST: 'given', EMPTY: 'given' })
  }
  expect(project.read('.secrets/home-owner/env')).toBe('')
  project.write('user/.env', '')
  await project.deploy()
  expect((await read({ ENV_BASE64: '' })).stdout).toBe('{}\n')
  writeFileSync(kubernetes.ENV_FILE, Buffer.from('FIRST=first', 'utf16le').fill(0xff, 0, 2))
  expect((await read(kubernetes)).stderr).toContain(`${kubernetes.ENV_FILE} is not UTF-8 text`)
})

test('a missing password of an existing database is not replaced', async () => {
  const project = deployment()
  await project.deploy()
  rmSync(path.join(project.directory, '.secrets'), { recursive: true })
  project.answer('volume-inspect', '[]')
  project.calls()
  const { stderr, status } = await project.deploy()
  expect(stderr).toMatch(
    /^deploy\.sh: Missing \.secrets\/auth-db\/admin-password, a password of the existing database auth-db\. Restore /,
  )
  expect(status).toBe(1)
  expect(project.calls().filter((call) => /^compose (?:build|up)/.test(call))).toEqual([])
})

test('a run that was killed while it made secrets is completed by the next one', async () => {
  const project = deployment()
  for (const after of [1, 3, 5, 8]) {
    rmSync(path.join(project.directory, '.secrets'), { recursive: true, force: true })
    expect((await killedAtWrite(project, after)).status).toBe('SIGKILL')
    const { status, stderr } = await project.deploy()
    expect(status, stderr).toBe(0)
    expect(secretsOf(project)).toHaveLength(18)
  }
})

const SHARED = WITHOUT_USERS.replace('{}', '{ #database(postgres, server: shared); }')

test('a shared server has a password of its own, and a service that is added later gets one', async () => {
  const project = deployment(SHARED)
  await project.deploy()
  expect(secretsOf(project)).toEqual([
    '.gitignore',
    'home-db/database-password',
    'home/database-password',
    'home/env',
    'postgres/admin-password',
  ])
  const before = project.read('.secrets/postgres/admin-password')
  const [added] = emitDeployScript(platformOf(`${SHARED}\nHost: service { name: string; }`))
  project.write('deploy.sh', added?.content ?? '')
  // Only the volume of the server that it shares exists.
  project.script('volume-inspect', 'case $* in *_postgres-data) exit 0 ;; *) exit 1 ;; esac')
  const { status, stderr } = await project.deploy()
  expect(status, stderr).toBe(0)
  expect(project.read('.secrets/postgres/admin-password')).toBe(before)
  expect(project.read('.secrets/host/database-password')).toMatch(/^[\w-]{43}$/)
  rmSync(path.join(project.directory, '.secrets/postgres'), { recursive: true })
  expect((await project.deploy()).stderr).toMatch(
    /^deploy\.sh: Missing \.secrets\/postgres\/admin-password, a password of the existing database postgres\. /,
  )
})

test.each([
  [WITHOUT_USERS, SHARED, 'home-db'],
  [SHARED, WITHOUT_USERS, 'postgres'],
])('nothing starts while a former server has the data', async (before, after, former) => {
  const project = deployment(before)
  await project.deploy()
  const [changed] = emitDeployScript(platformOf(after))
  project.write('deploy.sh', changed?.content ?? '')
  project.script('ps', `case $* in *service=${former}) echo 1234; exit ;; esac`)
  project.calls()
  const { status, stderr } = await project.deploy()
  expect([status, stderr]).toEqual([
    1,
    `deploy.sh: The database server ${former} is no longer in the definition, but it has data. Move the data with the commands that portico generate has printed, which also remove the container ${former}\n`,
  ])
  expect(project.calls().filter((call) => /^compose (?:build|up)/.test(call))).toEqual([])
  // The data is moved into databases that this creates.
  expect((await project.deploy('migrate')).status).toBe(0)
  project.script('ps', 'exit')
  expect((await project.deploy()).status).toBe(0)
})
