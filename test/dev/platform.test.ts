import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { InvalidDefinitionError } from '../../src/dev/platform-error.ts'
import { compileProject, generateProject, writeProject } from '../../src/dev/project.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { ENV_FILE, ENV_VALUES } from '../emit/deploy/env-file.ts'
import { call, createWorkplace, NOTES, register, SHOP, type Workplace } from './run-platform.ts'

let place: Workplace

afterEach(async () => {
  await place.close()
})

test('a platform keeps its data after a restart and deletes it with `fresh`', async () => {
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

test('services call each other, even while one is replaced, and web pages of allowed origins call them', async () => {
  place = await createWorkplace(SHOP)
  const origin = 'https://app.example.com'
  const platform = await place.start({ watch: true, corsOrigins: [origin] })
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

  const fromPage = async (page: string, init: { method: string; headers: Record<string, string> }) => {
    const headers = { origin: page, 'sec-fetch-site': 'cross-site', ...init.headers }
    const response = await fetch(`http://${platform.gateway}/api/order`, { ...init, headers })
    return [response.status, response.headers.get('access-control-allow-origin')]
  }
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }
  const post = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ customer: body['id'], total: 1 }),
  }
  expect(await fromPage(origin, preflight)).toEqual([200, origin])
  expect(await fromPage(origin, post)).toEqual([201, origin])
  expect(await fromPage('https://evil.example.com', preflight)).toEqual([403, null])
  expect(await fromPage('https://evil.example.com', post)).toEqual([403, null])
})

test('a new definition does not wait for services that do not start, which are started again', async () => {
  place = await createWorkplace(SHOP)
  await place.start({ watch: true })
  const start = path.join(place.directory, 'start')
  await place.setUp(
    'customer',
    `  const { existsSync } = await import('node:fs')
  env.log.info('waits')
  while (!existsSync(${JSON.stringify(start)})) await new Promise((resolve) => setTimeout(resolve, 50))`,
  )
  await place.event('line', ({ line }) => line.message === 'waits')
  await place.define(SHOP.replace('total: int;', 'total: int; paid: bool = false;'))
  expect((await place.event('reloaded')).services).toEqual(['order'])
  await writeFile(start, '')
  const isOfCustomer = ({ services }: { services: readonly string[] }) => services.includes('customer')
  expect((await place.event('reloaded', isOfCustomer)).services).toEqual(['customer'])
})

test('code that changes while a definition is applied is loaded, even if the code before is never ready', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start({ watch: true })
  const waits = () => place.event('line', ({ line }) => line.message === 'waits')
  await place.setUp('note', `  env.log.info('waits')\n  await new Promise(() => {})`)
  await waits()
  place.events.length = 0
  await place.define(NOTES.replace('#enumerable;', 'done: bool = false; #enumerable;'))
  await waits()
  await place.setUp('note', `  router.get('/note/x/y', (c) => c.text('loaded'))`)
  await place.event('reloaded', ({ services }) => services.includes('note'))
  expect((await call(platform, 'GET', '/api/note/x/y')).body['text']).toBe('loaded')
  expect(place.events.filter(({ kind }) => kind === 'problem')).toEqual([])
})

test('code for a schema that the database cannot get does not replace the code that runs', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start({ watch: true })
  await call(platform, 'POST', '/api/note', { body: { text: 'kept' } })
  await place.define(NOTES.replace('#enumerable;', 'code: string(9) @unique; #enumerable;'))
  await place.event('problem', ({ service }) => service === undefined)
  const { platform: changed } = compileProject(place.definition, {}, place.output)
  if (changed === undefined) throw new Error('The definition has errors')
  // As `portico generate` does.
  await writeProject(place.output, generateProject(changed))
  const { service, text } = await place.event('problem', (event) => event.service !== undefined)
  expect([service, text]).toEqual([
    'note',
    'Failed to start: its files are for another database schema than that of the definition that runs. The previous version keeps running.',
  ])
  const { body } = await call(platform, 'GET', '/api/note/all')
  expect(body['NoteList']).toMatchObject([{ text: 'kept' }])
})

test('a definition with errors does not start and writes nothing', async () => {
  place = await createWorkplace('Tiny: project {}\nNote: service { text: strin; }\n')
  await expect(place.start()).rejects.toBeInstanceOf(InvalidDefinitionError)
  const { diagnostics } = await place.event('checked')
  expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-type'])
  expect(existsSync(place.output)).toBe(false)
})

test('a second platform in the same directory is rejected', async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await expect(place.start()).rejects.toMatchObject({
    name: 'PlatformError',
    message: `\`portico dev\` (process ${process.pid}) is already running in \`${place.output}\``,
  })
  expect((await call(platform, 'GET', '/api/note/all')).status).toBe(200)
  // Git sees nothing of what dev keeps.
  expect(await readFile(path.join(place.output, '.portico/dev/.gitignore'), 'utf8')).toBe('*\n')
  // The service answers while the body is still being sent.
  const large = await call(platform, 'POST', '/api/note', { body: { text: 'x'.repeat(20_000_000) } })
  expect(large).toEqual({ status: 413, body: { error: 'Request body too large' } })
})

test('a port in use is reported before anything is written', async () => {
  place = await createWorkplace(NOTES)
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const { port } = blocker.address() as AddressInfo
  await expect(place.start({ port })).rejects.toMatchObject({
    name: 'PlatformError',
    message: `Port ${port} is already in use`,
  })
  expect(existsSync(place.output)).toBe(false)
  await new Promise((resolve) => blocker.close(resolve))
})

test('a file with the name of the state directory is reported', async () => {
  place = await createWorkplace(NOTES)
  await mkdir(path.join(place.output, '.portico'), { recursive: true })
  await writeFile(path.join(place.output, '.portico/dev'), '')
  await expect(place.start()).rejects.toThrow(
    `\`${path.join(place.output, '.portico/dev')}\` is not a directory`,
  )
})

test('the output of another command is not changed', async () => {
  place = await createWorkplace(NOTES)
  const files = [{ path: 'README.md', content: 'a client\n', owner: 'generated' }] as const
  const made = await updateProject(place.output, {
    files,
    answers: { client: 'typescript' },
    definition: undefined,
  })
  expect(made.ok).toBe(true)
  await expect(place.start()).rejects.toThrow(/contains a generated client, not a project/)
  expect(await readFile(path.join(place.output, 'README.md'), 'utf8')).toBe('a client\n')
})

test("variables given to `dev` and a service's `.env` reach its settings and configuration", async () => {
  place = await createWorkplace(NOTES)
  const settings = `import { z } from 'zod'
export const Settings = z.object({ GREETING: z.string(), PORTICO_TEST_VARIABLE: z.string() })
export type Settings = z.infer<typeof Settings>
`
  await mkdir(path.join(place.output, 'note/src'), { recursive: true })
  const pooler = 'DATABASE_POOLER=transaction\r\nDATABASE_DIRECT_URL=postgres://note@127.0.0.1:1/note\r\n'
  const own = `\r\nGREETING="good day"\r\nPORT=1\r\nLOG_LEVEL=error\r\n${pooler}`
  await writeFile(path.join(place.output, 'note/.env'), ENV_FILE + own)
  await writeFile(path.join(place.output, 'note/src/settings.ts'), settings)
  await place.setUp(
    'note',
    `  const { GREETING, PORTICO_TEST_VARIABLE } = env.settings
  const given = Object.fromEntries(${JSON.stringify(Object.keys(ENV_VALUES))}.map((name) => [name, process.env[name]]))
  router.get('/note/greeting', (c) => c.json({ GREETING, PORTICO_TEST_VARIABLE, level: env.config.LOG_LEVEL, given }))`,
  )
  process.env['PORTICO_TEST_VARIABLE'] = 'given'
  process.env['GREETING'] = 'of the shell'
  // For another database. It does not concern that of the service.
  process.env['PGSSLMODE'] = 'require'
  const platform = await place.start({ watch: true })
  expect((await call(platform, 'GET', '/api/note/greeting')).body).toEqual({
    GREETING: 'good day',
    PORTICO_TEST_VARIABLE: 'given',
    level: 'error',
    given: ENV_VALUES,
  })
  delete process.env['GREETING']
  await writeFile(path.join(place.output, 'note/.env'), '')
  const { text } = await place.event('problem')
  expect(text).toMatch(
    /^Failed to start: Error: Invalid configuration: GREETING .*The previous version keeps running\.$/s,
  )
  delete process.env['PORTICO_TEST_VARIABLE']
  delete process.env['PGSSLMODE']
})
