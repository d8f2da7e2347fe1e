import { existsSync, statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { InvalidDefinition } from '../../src/dev/platform.ts'
import { PlatformProblem } from '../../src/dev/problem.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { call, createWorkplace, until, type Workplace } from './run-platform.ts'

let place: Workplace

afterEach(async () => {
  await place.close()
})

const NOTES = 'Tiny: project {}\nNote: service { text: string(100); #enumerable; }\n'
const SHOP = `Shop: project { #authMethod(email); }
Customer: service { name: string; #auth; #readable(by: all); }
Order: service { customer: Customer; total: int; #enumerable; }
`

async function register(platform: { gateway: string }, email = 'a@example.com'): Promise<string> {
  const { status, body } = await call(platform, 'POST', '/api/auth/register', {
    body: { email, password: 'long enough' },
  })
  expect(status).toBe(201)
  return String(body['AccessToken'])
}

test('a platform runs, keeps its data when it is started again, and loses it with fresh', async () => {
  place = await createWorkplace(NOTES)
  let platform = await place.start()
  const { status, body } = await call(platform, 'POST', '/api/note', { body: { text: 'hello' } })
  expect(status).toBe(201)
  await platform.stop()
  platform = await place.start()
  expect(await call(platform, 'GET', '/api/note/all')).toEqual({ status: 200, body: { NoteList: [body] } })
  await platform.stop()
  platform = await place.start({ fresh: true })
  expect(await call(platform, 'GET', '/api/note/all')).toEqual({ status: 200, body: { NoteList: [] } })
})

test('tokens outlive a restart, and their credential is for its owner alone', async () => {
  place = await createWorkplace(SHOP)
  let platform = await place.start()
  const token = await register(platform)
  const file = path.join(place.output, '.portico/dev/gateway-credentials.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const before = await readFile(file, 'utf8')
  await platform.stop()
  platform = await place.start({ fresh: true })
  expect(await readFile(file, 'utf8')).toBe(before)
  const created = await call(platform, 'POST', '/api/customer', { body: { name: 'Ann' }, token })
  expect(created.status).toBe(201)
  expect((await call(platform, 'GET', '/api/customer', { token })).status).toBe(302)
  expect((await call(platform, 'GET', '/api/customer')).status).toBe(401)
})

test('services ask each other, also for one that is replaced meanwhile', async () => {
  place = await createWorkplace(SHOP)
  const platform = await place.start({ watch: true })
  const token = await register(platform)
  const { body } = await call(platform, 'POST', '/api/customer', { body: { name: 'Ann' }, token })
  const order = () =>
    call(platform, 'POST', '/api/order', { body: { customer: body['id'], total: 1 }, token })
  expect((await order()).status).toBe(201)
  await place.setUp('customer', `  env.log.info('new')`)
  await place.event('reloaded', ({ services }) => services.includes('customer'))
  expect((await order()).status).toBe(201)
  const unknown = await call(platform, 'POST', '/api/order', {
    body: { customer: '00000000-0000-7000-8000-000000000000', total: 1 },
    token,
  })
  expect(unknown).toEqual({
    status: 400,
    body: { error: 'Unknown Customer: 00000000-0000-7000-8000-000000000000' },
  })
})

test('a credential can be rotated with two valid at once', async () => {
  place = await createWorkplace(SHOP)
  let platform = await place.start()
  const old = await register(platform, 'old@example.com')
  await platform.stop()
  const file = path.join(place.output, '.portico/dev/gateway-credentials.json')
  const stored = JSON.parse(await readFile(file, 'utf8')) as { credentials: unknown[] }
  stored.credentials.unshift({ id: 'the-new-one', secret: Buffer.alloc(32, 7).toString('base64url') })
  await writeFile(file, JSON.stringify(stored))
  platform = await place.start()
  const fresh = await register(platform, 'new@example.com')
  expect(JSON.parse(Buffer.from(fresh.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
    iss: 'the-new-one',
  })
  for (const token of [old, fresh])
    expect((await call(platform, 'POST', '/api/customer', { body: { name: 'A' }, token })).status).toBe(201)
})

test('nothing runs on a database of another schema: it is said whose, and nothing is lost unasked', async () => {
  place = await createWorkplace(`${NOTES}Tag: service { name: string; #enumerable; }\n`)
  let platform = await place.start()
  await call(platform, 'POST', '/api/note', { body: { text: 'old' } })
  await call(platform, 'POST', '/api/tag', { body: { name: 'kept' } })
  await platform.stop()
  await place.define(
    'Tiny: project {}\nNote: service { text: string(100); stars: int; #enumerable; }\nTag: service { name: string; #enumerable; }\n',
  )
  const refused = await place.start().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(PlatformProblem)
  expect(refused).toMatchObject({
    kind: 'answer',
    message: expect.stringMatching(/^The schema changed.*\n {2}note\n {4}note: Column "stars" is new/),
    advice: expect.stringContaining('--fresh'),
  })
  await expect(place.start({ confirmEmptying: async () => false })).rejects.toThrow(/schema/)
  const asked: unknown[] = []
  platform = await place.start({
    confirmEmptying: async (changes) => {
      asked.push(...changes.map(({ service }) => service))
      return true
    },
  })
  expect(asked).toEqual(['note'])
  expect((await call(platform, 'GET', '/api/note/all')).body).toEqual({ NoteList: [] })
  expect((await call(platform, 'GET', '/api/tag/all')).body).toMatchObject({ TagList: [{ name: 'kept' }] })
})

test('a schema that comes back finds its data', async () => {
  place = await createWorkplace(NOTES)
  let platform = await place.start()
  await call(platform, 'POST', '/api/note', { body: { text: 'hello' } })
  await platform.stop()
  await place.define('Tiny: project {}\nTag: service { name: string; }\n')
  platform = await place.start()
  expect((await call(platform, 'GET', '/api/note/all')).status).toBe(404)
  await platform.stop()
  await place.define(NOTES)
  platform = await place.start()
  expect((await call(platform, 'GET', '/api/note/all')).body).toMatchObject({ NoteList: [{ text: 'hello' }] })
})

test('a database that was not finished is made anew', async () => {
  place = await createWorkplace(NOTES)
  let platform = await place.start()
  await platform.stop()
  const { startPostgres } = await import('../../src/dev/postgres.ts')
  const { default: postgres } = await import('postgres')
  const server = await startPostgres({ directory: path.join(place.output, '.portico/dev/postgres') })
  const sql = postgres(server.superuserUrl('note'), { max: 1, onnotice: () => {} })
  await sql.unsafe('DROP TABLE note; COMMENT ON DATABASE note IS NULL')
  await sql.end()
  await server.stop()
  platform = await place.start()
  expect((await call(platform, 'POST', '/api/note', { body: { text: 'x' } })).status).toBe(201)
})

test('a definition with errors does not start, and leaves nothing behind', async () => {
  place = await createWorkplace('Tiny: project {}\nNote: service { text: strin; }\n')
  await expect(place.start()).rejects.toBeInstanceOf(InvalidDefinition)
  const { diagnostics } = await place.event('checked')
  expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-type'])
  expect(existsSync(place.output)).toBe(false)
})

test('a second platform in the same directory is refused, whoever runs the first', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await expect(place.start()).rejects.toMatchObject({
    name: 'PlatformProblem',
    message: `Another \`portico dev\` (process ${process.pid}) runs the platform in ${place.output}.`,
  })
  expect((await call(platform, 'GET', '/api/note/all')).status).toBe(200)
})

test('a port that is taken is said before anything is written', async () => {
  place = await createWorkplace(NOTES)
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const { port } = blocker.address() as AddressInfo
  await expect(place.start({ port })).rejects.toMatchObject({
    name: 'PlatformProblem',
    message: `Port ${port} is taken.`,
  })
  expect(existsSync(place.output)).toBe(false)
  await new Promise((resolve) => blocker.close(resolve))
})

test('a database of another version is named, and fresh replaces it', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await platform.stop()
  await writeFile(path.join(await place.dataDirectory(), 'PG_VERSION'), '12\n')
  await expect(place.start()).rejects.toThrow(
    /is of Postgres 12, and this is Postgres \d+: start with --fresh/,
  )
  const again = await place.start({ fresh: true })
  expect((await call(again, 'GET', '/api/note/all')).status).toBe(200)
})

test('something in the place of the state directory is not followed', async () => {
  place = await createWorkplace(NOTES)
  await mkdir(path.join(place.output, '.portico'), { recursive: true })
  await writeFile(path.join(place.output, '.portico/dev'), '')
  await expect(place.start()).rejects.toThrow(
    `${path.join(place.output, '.portico/dev')} is not a directory.`,
  )
})

test('files edited by hand stop a start, and stay', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await platform.stop()
  const file = path.join(place.output, 'note/src/app.ts')
  await writeFile(file, '// mine\n')
  await expect(place.start()).rejects.toThrow(/note\/src\/app\.ts/)
  expect(await readFile(file, 'utf8')).toBe('// mine\n')
})

test('no version control sees what dev keeps', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await platform.stop()
  expect(await readFile(path.join(place.output, '.portico/dev/.gitignore'), 'utf8')).toBe('*\n')
  const { spawnSync } = await import('node:child_process')
  spawnSync('git', ['init', '-q'], { cwd: place.directory })
  const { stdout } = spawnSync('git', ['ls-files', '--others', '--exclude-standard'], {
    cwd: place.directory,
  })
  expect(String(stdout)).not.toMatch(/\.portico\/dev/)
})

test('hooks that throw or never end harm their own service alone', async () => {
  place = await createWorkplace(SHOP)
  const first = await place.start()
  await first.stop()
  await place.setUp(
    'order',
    `  env.hooks.beforeCreate((_env, request) => {
    if (request.total === 500) throw new Error('bang')
    if (request.total === 418) throw new HookError(418, 'no tea')
    if (request.total === 999) for (;;) void 0
  })`,
  )
  const platform = await place.start()
  const token = await register(platform)
  const { body } = await call(platform, 'POST', '/api/customer', { body: { name: 'Ann' }, token })
  const order = (total: number) =>
    call(platform, 'POST', '/api/order', { body: { customer: body['id'], total }, token })
  expect(await order(500)).toEqual({ status: 500, body: { error: 'Internal server error' } })
  expect(await order(418)).toEqual({ status: 418, body: { error: 'no tea' } })
  expect((await order(1)).status).toBe(201)
  const endless = order(999)
  for (let turn = 0; turn < 20; turn++)
    expect((await call(platform, 'GET', `/api/customer/${String(body['id'])}`, { token })).status).toBe(200)
  const began = performance.now()
  await platform.stop()
  expect(performance.now() - began).toBeLessThan(2000)
  await endless.catch(() => {})
})

test('a killed database comes back by itself', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  const { body } = await call(platform, 'POST', '/api/note', { body: { text: 'hello' } })
  process.kill(platform.databasePid, 'SIGKILL')
  await place.event('problem', ({ text }) => text.startsWith('The database ended unexpectedly'))
  await until(async () => (await call(platform, 'GET', '/api/note/all')).status === 200)
  expect((await call(platform, 'GET', '/api/note/all')).body).toEqual({ NoteList: [body] })
})

test('of many services each starts at its first request, or when another one asks it', async () => {
  const services = Array.from({ length: 20 }, (_, index) =>
    index === 0
      ? 'Item0: service { name: string; #enumerable; }'
      : `Item${index}: service { before: Item${index - 1}; }`,
  )
  place = await createWorkplace(`Many: project {}\n${services.join('\n')}\n`)
  const platform = await place.start()
  expect(place.events.filter(({ kind }) => kind === 'problem')).toEqual([])
  const before = '00000000-0000-7000-8000-000000000000'
  expect(await call(platform, 'POST', '/api/item7', { body: { before } })).toEqual({
    status: 400,
    body: { error: `Unknown Item6: ${before}` },
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(platform, 'GET', '/api/item0/all')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

test('a large body is refused by the service while it is still sent', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  const answer = await call(platform, 'POST', '/api/note', { body: { text: 'x'.repeat(20_000_000) } })
  expect(answer).toEqual({ status: 413, body: { error: 'Request body too large' } })
})

test('what another command generated is left alone', async () => {
  place = await createWorkplace(NOTES)
  const files = [{ path: 'README.md', content: 'a client\n', owner: 'generated' }] as const
  const made = await updateProject(place.output, {
    files,
    answers: { client: 'typescript' },
    schema: undefined,
  })
  expect(made.ok).toBe(true)
  await expect(place.start()).rejects.toThrow(/holds a generated client, not a project/)
  expect(await readFile(path.join(place.output, 'README.md'), 'utf8')).toBe('a client\n')
})
