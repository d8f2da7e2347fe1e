import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Dispatcher } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Health } from '../../src/dev/events.ts'
import { createServiceHost, type ServiceHost } from '../../src/dev/service-host.ts'
import { startInstance } from '../../src/dev/service-instance.ts'
import type { ServiceLine } from '../../src/dev/service-log.ts'
import { writeFakeService, writeSetup } from './fake-service.ts'

let directory: string
let host: ServiceHost
let lines: ServiceLine[]
let problems: string[]
let healths: Health[]
let stalls: boolean[]

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-host-'))
  lines = []
  problems = []
  healths = []
  stalls = []
})

afterEach(async () => {
  await host.stop(0)
  await rm(directory, { recursive: true, force: true })
})

function createHost(environment: Record<string, string> = {}): ServiceHost {
  host = createServiceHost(
    (signal) =>
      startInstance(
        {
          directory,
          environment,
          compileCache: path.join(directory, '.cache'),
          onLine: (line) => lines.push(line),
          onStall: (stalled) => stalls.push(stalled),
        },
        signal,
      ),
    { onProblem: (text) => problems.push(text), onHealth: (health) => healths.push(health) },
  )
  return host
}

async function get(route: string): Promise<string | number> {
  const service: Dispatcher | undefined = await host.service()
  if (service === undefined) return 'down'
  const answer = await service.request({ path: route, method: 'GET' })
  const text = await answer.body.text()
  return answer.statusCode === 200 ? text : answer.statusCode
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a service runs with its own environment and finds its dependencies without an installation', async () => {
  await writeFakeService(directory, `app.get('/secret', (c) => c.text(process.env.HOME ?? 'none'))`)
  createHost({ GREETING: 'good day' })
  expect(await host.start()).toBe(true)
  expect(await get('/greeting')).toBe('good day')
  expect(await get('/secret')).toBe('none')
  const port = await host.internalPort()
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('internal')
})

test('a sleeping service starts at its first request, once', async () => {
  await writeFakeService(directory, `console.log('set up')`)
  createHost()
  expect(await Promise.all(['/greeting', '/greeting', '/greeting'].map(get))).toEqual([
    'hello',
    'hello',
    'hello',
  ])
  await until(() => lines.length > 0)
  expect(lines).toEqual([{ level: 'info', message: 'set up', fields: [], places: [] }])
})

test('how a service is, is told after each change', async () => {
  await writeFakeService(directory, '')
  createHost()
  await get('/greeting')
  await writeSetup(directory, `throw new Error('no')`)
  await host.reload()
  await host.stop(0)
  await host.start()
  expect(healths).toEqual(['starting', 'running', 'asleep', 'starting', 'down'])
})

test('a setup that fails says why and where, and the service is down until it is mended', async () => {
  await writeFakeService(directory, `throw new TypeError('no such thing')`)
  createHost()
  expect(await host.start()).toBe(false)
  expect(problems).toEqual([
    'did not start: TypeError: no such thing (src/setup.ts:4:7). It starts again when its files change.',
  ])
  expect(await get('/greeting')).toBe('down')
  await writeSetup(directory, '')
  expect(await host.reload()).toBe(true)
  expect(await get('/greeting')).toBe('hello')
})

test('a reload replaces the service without a gap; one that does not start leaves the old one', async () => {
  await writeFakeService(directory, `app.get('/version', (c) => c.text('1'))`)
  createHost()
  await host.start()
  const load = { isOver: false }
  const answers = new Set<string | number>()
  const running = (async () => {
    while (!load.isOver) answers.add(await get('/version'))
  })()
  await writeSetup(directory, `app.get('/version', (c) => c.text('2'))`)
  expect(await host.reload()).toBe(true)
  expect(await get('/version')).toBe('2')
  await writeSetup(directory, `app.get('/version', (c) => c.text('3')`)
  expect(await host.reload()).toBe(false)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^did not start: SyntaxError: .*It runs on as it was before the change\.$/s)
  expect(await get('/version')).toBe('2')
  load.isOver = true
  await running
  expect([...answers].map(String).sort()).toEqual(['1', '2'])
})

test('a request that runs while the service is replaced is finished by the old one', async () => {
  await writeFakeService(
    directory,
    `app.get('/slow', async (c) => { console.log('began'); await new Promise((done) => setTimeout(done, 700)); return c.text('old') })`,
  )
  createHost()
  await host.start()
  const slow = get('/slow')
  await until(() => lines.length > 0)
  await writeSetup(directory, '')
  expect(await host.reload()).toBe(true)
  expect(await slow).toBe('old')
  expect(await get('/slow')).toBe(404)
})

test('a service that crashes is started again', async () => {
  await writeFakeService(
    directory,
    `app.get('/crash', (c) => { setTimeout(() => { throw new Error('bang') }); return c.text('wait') })`,
  )
  createHost()
  await host.start()
  await get('/crash')
  await until(() => problems.length > 0)
  expect(problems[0]).toMatch(/^ended: Error: bang \(src\/setup\.ts:4:\d+\)\. It is started again\.$/)
  await until(async () => (await get('/greeting')) === 'hello')
})

test('a service that ends itself does not end the platform', async () => {
  await writeFakeService(directory, `app.get('/exit', () => process.exit(7))`)
  createHost()
  await host.start()
  await expect(get('/exit')).rejects.toThrow()
  await until(() => problems.length > 0)
  expect(problems[0]).toBe('ended: it ended itself (7). It is started again.')
  await until(async () => (await get('/greeting')) === 'hello')
})

test('an endless loop is noticed, said, and ended, and holds up nothing else', async () => {
  await writeFakeService(directory, `app.get('/loop', () => { for (;;); })`)
  createHost()
  await host.start()
  const looping = get('/loop').catch(() => 'broken')
  await until(() => stalls.length > 0)
  expect(stalls).toEqual([true])
  expect(await looping).toBe('broken')
  await until(() => problems.length > 0)
  expect(problems[0]).toMatch(
    /it did not answer for 15 s; is there an endless loop in its code\? It is started again\.$/,
  )
  await until(async () => (await get('/greeting')) === 'hello')
})

test('an endless loop does not hold up a stop, nor a reload', async () => {
  await writeFakeService(directory, `app.get('/loop', () => { console.log('began'); for (;;); })`)
  createHost()
  await host.start()
  const looping = get('/loop').catch(() => 'broken')
  await writeSetup(directory, '')
  expect(await host.reload()).toBe(true)
  expect(await get('/greeting')).toBe('hello')
  await host.stop(200)
  expect(await looping).toBe('broken')
})

test.each([
  ['values', `const all: string[] = []; for (;;) all.push('x'.repeat(10) + all.length)`],
  ['one array', 'const all: number[] = []; for (;;) all.push(Math.random())'],
  ['buffers', 'const all: Buffer[] = []; for (;;) all.push(Buffer.alloc(1e6, 1))'],
])('a service that takes too much memory, in %s, ends alone', async (_, code) => {
  await writeFakeService(directory, `app.get('/eat', () => { ${code} })`)
  createHost()
  await host.start()
  await expect(get('/eat')).rejects.toThrow()
  await until(() => problems.length > 0)
  // Which of the two comes first depends on the machine.
  expect(problems[0]).toMatch(
    /^ended: it (?:used more than 768 MB of memory; does its code keep what it no longer needs|did not answer for 15 s; is there an endless loop in its code)\? It is started again\.$/,
  )
  await until(async () => (await get('/greeting')) === 'hello')
})

test('a service that takes too much memory while it starts says so', async () => {
  await writeFakeService(directory, `const all: Buffer[] = []; for (;;) all.push(Buffer.alloc(1e6, 1))`)
  createHost()
  expect(await host.start()).toBe(false)
  expect(problems[0]).toMatch(/^did not start: it used more than 768 MB of memory/)
})

test('threads that a service starts find its dependencies too', async () => {
  await writeFakeService(
    directory,
    `const { Worker } = await import('node:worker_threads')
     const { writeFile } = await import('node:fs/promises')
     await writeFile(new URL('./thread.ts', import.meta.url), "import bcrypt from 'bcryptjs'; import { parentPort } from 'node:worker_threads'; parentPort?.postMessage(typeof bcrypt.hash)")
     const worker = new Worker(new URL('./thread.ts', import.meta.url))
     const said = await new Promise<string>((resolve) => worker.once('message', resolve))
     app.get('/thread', (c) => c.text(said))`,
  )
  createHost()
  expect(await host.start()).toBe(true)
  expect(await get('/thread')).toBe('function')
})

test('the ports of a service itself refuse pages of other sites too', async () => {
  await writeFakeService(
    directory,
    `const { writeFile } = await import('node:fs/promises')
     app.post('/write', async (c) => { await writeFile(process.env.MARK ?? '', 'written'); return c.text('done') })`,
  )
  const mark = path.join(directory, 'mark')
  createHost({ MARK: mark })
  await host.start()
  const service = await host.service()
  const post = async (headers: Record<string, string>): Promise<number | undefined> =>
    (await service?.request({ path: '/write', method: 'POST', headers, body: '{}' }))?.statusCode
  expect(await post({ origin: 'https://evil.com' })).toBe(403)
  expect(await post({ host: 'evil.com' })).toBe(403)
  expect(existsSync(mark)).toBe(false)
  expect(await post({})).toBe(200)
  expect(existsSync(mark)).toBe(true)
})
