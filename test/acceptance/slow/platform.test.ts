import { statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  call,
  createWorkplace,
  NOTES,
  register,
  SHOP,
  until,
  type Workplace,
} from '../../dev/run-platform.ts'

let place: Workplace

afterEach(async () => {
  await place.close()
})

test('tokens stay valid after a restart, and only their owner can read the credential', async () => {
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

test('a service that is removed and added again keeps its data', async () => {
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

test('an incomplete database is created again', async () => {
  place = await createWorkplace(NOTES)
  let platform = await place.start()
  await platform.stop()
  const { startPostgres } = await import('../../../src/dev/postgres.ts')
  const { default: postgres } = await import('postgres')
  const server = await startPostgres({ directory: path.join(place.output, '.portico/dev/postgres') })
  const sql = postgres(server.superuserUrl('note'), { max: 1, onnotice: () => {} })
  await sql.unsafe('DROP TABLE note; COMMENT ON DATABASE note IS NULL')
  await sql.end()
  await server.stop()
  platform = await place.start()
  expect((await call(platform, 'POST', '/api/note', { body: { text: 'x' } })).status).toBe(201)
})

test('a database of another version is reported, and `fresh` replaces it', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await platform.stop()
  await writeFile(path.join(await place.dataDirectory(), 'PG_VERSION'), '12\n')
  await expect(place.start()).rejects.toThrow(/was created by Postgres 12, but this is Postgres \d+$/)
  const again = await place.start({ fresh: true })
  expect((await call(again, 'GET', '/api/note/all')).status).toBe(200)
})

test('files edited by hand prevent the start and are kept', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await platform.stop()
  const file = path.join(place.output, 'note/src/app.ts')
  await writeFile(file, '// mine\n')
  await expect(place.start()).rejects.toThrow(/note\/src\/app\.ts/)
  expect(await readFile(file, 'utf8')).toBe('// mine\n')
})

test('hooks that throw or never end affect only their own service', async () => {
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
  expect(performance.now() - began).toBeLessThan(10_000)
  await endless.catch(() => {})
})

test('a killed database is restarted', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  const { body } = await call(platform, 'POST', '/api/note', { body: { text: 'hello' } })
  process.kill(platform.databasePid, 'SIGKILL')
  await place.event('problem', ({ text }) => text.startsWith('The database stopped unexpectedly'))
  await until(async () => (await call(platform, 'GET', '/api/note/all')).status === 200)
  expect((await call(platform, 'GET', '/api/note/all')).body).toEqual({ NoteList: [body] })
})

test('with many services each starts at its first request or when another one calls it', async () => {
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
