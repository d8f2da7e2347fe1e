import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Dispatcher } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Health } from '../../src/dev/events.ts'
import { createServiceSupervisor, type ServiceSupervisor } from '../../src/dev/service-supervisor.ts'
import { startInstance } from '../../src/dev/service-instance.ts'
import type { LogLine } from '../../src/dev/service-log.ts'
import { FAKE_SERVICE, writeFakeService, writeSetup } from './fake-service.ts'

let directory: string
let supervisor: ServiceSupervisor
let lines: LogLine[]
let problems: string[]
let healths: Health[]
let stalls: boolean[]

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-supervisor-'))
  lines = []
  problems = []
  healths = []
  stalls = []
})

afterEach(async () => {
  await supervisor.stop(0)
  await rm(directory, { recursive: true, force: true })
})

function createSupervisor(environment: Record<string, string> = {}, output = directory): ServiceSupervisor {
  supervisor = createServiceSupervisor(
    (signal) =>
      startInstance(
        {
          output,
          service: FAKE_SERVICE,
          environment,
          compileCache: path.join(directory, '.cache'),
          corsOrigins: [],
          onLine: (line) => lines.push(line),
          onStall: (stalled) => stalls.push(stalled),
        },
        signal,
      ),
    { onProblem: (text) => problems.push(text), onHealth: (health) => healths.push(health) },
  )
  return supervisor
}

async function get(route: string): Promise<string | number> {
  const service: Dispatcher | undefined = await supervisor.service()
  if (service === undefined) return 'down'
  const answer = await service.request({ path: route, method: 'GET' })
  const text = await answer.body.text()
  return answer.statusCode === 200 ? text : answer.statusCode
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a service has its own environment and finds its dependencies without an installation', async () => {
  await writeFakeService(directory, `app.get('/secret', (c) => c.text(process.env.HOME ?? 'none'))`)
  createSupervisor({ GREETING: 'good day' })
  expect(await supervisor.start()).toBe(true)
  expect(await get('/greeting')).toBe('good day')
  expect(await get('/secret')).toBe('none')
  const port = await supervisor.internalPort()
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('internal')
})

test('an idle service starts once, at its first request', async () => {
  await writeFakeService(directory, `console.log('set up')`)
  createSupervisor()
  expect(await Promise.all(['/greeting', '/greeting', '/greeting'].map(get))).toEqual([
    'hello',
    'hello',
    'hello',
  ])
  await until(() => lines.length > 0)
  expect(lines).toEqual([{ level: 'info', message: 'set up', fields: [], frames: [] }])
})

test('health is reported after each change', async () => {
  await writeFakeService(directory, '')
  createSupervisor()
  await get('/greeting')
  await writeSetup(directory, `throw new Error('no')`)
  await supervisor.reload()
  await supervisor.stop(0)
  await supervisor.start()
  expect(healths).toEqual(['starting', 'running', 'idle', 'starting', 'down'])
})

test('a failing setup is reported with its position, and the service is down until it is fixed', async () => {
  await writeFakeService(directory, `throw new TypeError('no such thing')`)
  createSupervisor()
  expect(await supervisor.start()).toBe(false)
  expect(problems).toEqual([
    'Failed to start: TypeError: no such thing (src/setup.ts:4:7). It restarts when its files change.',
  ])
  expect(await get('/greeting')).toBe('down')
  await writeSetup(directory, '')
  expect(await supervisor.reload()).toBe(true)
  expect(await get('/greeting')).toBe('hello')
})

test('a canceled reload ends at once and is not reported', async () => {
  await writeFakeService(directory, '')
  createSupervisor()
  await supervisor.start()
  await writeSetup(directory, 'for (;;);')
  expect(await supervisor.reload(AbortSignal.timeout(500))).toBe(false)
  expect(await get('/greeting')).toBe('hello')
  await supervisor.stop(0)
  await writeSetup(directory, `throw new Error('no')`)
  await supervisor.start()
  await writeSetup(directory, 'for (;;);')
  expect(await supervisor.reload(AbortSignal.timeout(500))).toBe(false)
  expect(await get('/greeting')).toBe('down')
  expect(problems).toHaveLength(1)
})

test('a reload replaces the service without interruption; if it fails, the old instance stays', async () => {
  await writeFakeService(directory, `app.get('/version', (c) => c.text('1'))`)
  createSupervisor()
  await supervisor.start()
  const load = { isOver: false }
  const answers = new Set<string | number>()
  const running = (async () => {
    while (!load.isOver) answers.add(await get('/version'))
  })()
  await writeSetup(directory, `app.get('/version', (c) => c.text('2'))`)
  expect(await supervisor.reload()).toBe(true)
  expect(await get('/version')).toBe('2')
  await writeSetup(directory, `app.get('/version', (c) => c.text('3')`)
  expect(await supervisor.reload()).toBe(false)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^Failed to start: SyntaxError: .*The previous version keeps running\.$/s)
  expect(await get('/version')).toBe('2')
  load.isOver = true
  await running
  expect([...answers].map(String).sort()).toEqual(['1', '2'])
})

test('the old instance finishes its requests', async () => {
  await writeFakeService(
    directory,
    `app.get('/slow', async (c) => { console.log('began'); await new Promise((done) => setTimeout(done, 700)); return c.text('old') })`,
  )
  createSupervisor()
  await supervisor.start()
  const slow = get('/slow')
  await until(() => lines.length > 0)
  await writeSetup(directory, '')
  expect(await supervisor.reload()).toBe(true)
  expect(await slow).toBe('old')
  expect(await get('/slow')).toBe(404)
})

test('a crashed service is restarted', async () => {
  await writeFakeService(
    directory,
    `app.get('/crash', (c) => { setTimeout(() => { throw new Error('bang') }); return c.text('wait') })`,
  )
  createSupervisor()
  await supervisor.start()
  await get('/crash')
  await until(() => problems.length > 0)
  expect(problems[0]).toMatch(/^Stopped unexpectedly: Error: bang \(src\/setup\.ts:4:\d+\)\. Restarting\.$/)
  await until(async () => (await get('/greeting')) === 'hello')
})

test('process.exit in a service does not end the platform', async () => {
  await writeFakeService(directory, `app.get('/exit', () => process.exit(7))`)
  createSupervisor()
  await supervisor.start()
  await expect(get('/exit')).rejects.toThrow()
  await until(() => problems.length > 0)
  expect(problems[0]).toBe('Stopped unexpectedly: it exited with code 7. Restarting.')
  await until(async () => (await get('/greeting')) === 'hello')
})

test('an infinite loop is reported and terminated', async () => {
  await writeFakeService(directory, `app.get('/loop', () => { for (;;); })`)
  createSupervisor()
  await supervisor.start()
  const looping = get('/loop').catch(() => 'broken')
  await until(() => stalls.length > 0)
  expect(stalls).toEqual([true])
  expect(await looping).toBe('broken')
  await until(() => problems.length > 0)
  expect(problems[0]).toMatch(
    /it did not respond for 15 s, possibly because of an infinite loop\. Restarting\.$/,
  )
  await until(async () => (await get('/greeting')) === 'hello')
})

test('an infinite loop delays neither stop nor reload', async () => {
  await writeFakeService(directory, `app.get('/loop', () => { console.log('began'); for (;;); })`)
  createSupervisor()
  await supervisor.start()
  const looping = get('/loop').catch(() => 'broken')
  await writeSetup(directory, '')
  expect(await supervisor.reload()).toBe(true)
  expect(await get('/greeting')).toBe('hello')
  await supervisor.stop(200)
  expect(await looping).toBe('broken')
})

test.each([
  ['values', `const all: string[] = []; for (;;) all.push('x'.repeat(10) + all.length)`],
  ['one array', 'const all: number[] = []; for (;;) all.push(Math.random())'],
  ['buffers', 'const all: Buffer[] = []; for (;;) all.push(Buffer.alloc(1e6, 1))'],
])('only the service that uses too much memory, in %s, ends', async (_, code) => {
  await writeFakeService(directory, `app.get('/eat', () => { ${code} })`)
  createSupervisor()
  await supervisor.start()
  await expect(get('/eat')).rejects.toThrow()
  await until(() => problems.length > 0)
  // Which of the two comes first depends on the machine.
  expect(problems[0]).toMatch(
    /^Stopped unexpectedly: it (?:used more than 768 MB of memory, possibly because of a memory leak|did not respond for 15 s, possibly because of an infinite loop)\. Restarting\.$/,
  )
  await until(async () => (await get('/greeting')) === 'hello')
})

test('too much memory during the start is reported', async () => {
  await writeFakeService(directory, `const all: Buffer[] = []; for (;;) all.push(Buffer.alloc(1e6, 1))`)
  createSupervisor()
  expect(await supervisor.start()).toBe(false)
  expect(problems[0]).toMatch(/^Failed to start: it used more than 768 MB of memory/)
})

test('a package that is not installed is named, with the command that installs it', async () => {
  await writeFakeService(directory, `await import('no-such-package')`)
  createSupervisor()
  expect(await supervisor.start()).toBe(false)
  const name = path.basename(directory)
  expect(problems).toEqual([
    `Failed to start: \`no-such-package\` is not installed (shop/src/setup.ts). Run \`npm install no-such-package\` in ${name}. It restarts when its files change.`,
  ])
})

test('a file that is not in the image of the service is not imported, except for its types', async () => {
  await mkdir(path.join(directory, 'other/src'), { recursive: true })
  await writeFile(
    path.join(directory, 'other/src/names.ts'),
    "export type Name = string\nexport const name = 'other'\n",
  )
  await mkdir(path.join(directory, 'lib'))
  await writeFile(path.join(directory, 'lib/mine.ts'), "export const mine = 'mine'\n")
  const setup = (imports: string) =>
    writeFile(
      path.join(directory, FAKE_SERVICE, 'src/setup.ts'),
      `${imports}\nimport { mine } from '../../lib/mine.ts'\nexport default (app: any) => app.get('/mine', (c: any) => c.text(mine))\n`,
    )
  await writeFakeService(directory)
  await setup("import type { Name } from '../../other/src/names.ts'\nexport type Own = Name")
  createSupervisor()
  expect(await supervisor.start(), problems.join()).toBe(true)
  expect(await get('/mine')).toBe('mine')
  await setup("import { name } from '../../other/src/names.ts'\nexport const own = name")
  expect(await supervisor.reload()).toBe(false)
  expect(problems).toEqual([
    'Failed to start: `../../other/src/names.ts` is not in the image of the service (shop/src/setup.ts). Move shared code into shared/. The previous version keeps running.',
  ])
})

test('a dependency that the workspace of the project has installed is found, and no other package there', async () => {
  const output = path.join(directory, 'member')
  await writeFakeService(
    output,
    `const { text } = await import('greeting')
     const other = await import('other').catch((error: Error) => error.message)
     app.get('/text', (c) => c.text(text + ', ' + other))`,
  )
  await writeFile(path.join(output, 'package.json'), '{"type": "module", "dependencies": {"greeting": "1"}}')
  await writeFile(path.join(directory, 'package.json'), '{"workspaces": ["member"]}')
  await writeFile(path.join(directory, 'pnpm-workspace.yaml'), '')
  for (const name of ['greeting', 'other']) {
    await mkdir(path.join(directory, 'node_modules', name), { recursive: true })
    await writeFile(
      path.join(directory, 'node_modules', name, 'index.js'),
      "exports.text = 'from the workspace'",
    )
  }
  createSupervisor({}, output)
  expect(await supervisor.start(), problems.join()).toBe(true)
  expect(await get('/text')).toBe(
    'from the workspace, `other` is not installed (shop/src/setup.ts). Run `pnpm add other` in member',
  )
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
  createSupervisor()
  expect(await supervisor.start()).toBe(true)
  expect(await get('/thread')).toBe('function')
})

test('the ports of a service reject pages of other sites too', async () => {
  await writeFakeService(
    directory,
    `const { writeFile } = await import('node:fs/promises')
     app.post('/write', async (c) => { await writeFile(process.env.MARK ?? '', 'written'); return c.text('done') })`,
  )
  const mark = path.join(directory, 'mark')
  createSupervisor({ MARK: mark })
  await supervisor.start()
  const service = await supervisor.service()
  const post = async (headers: Record<string, string>): Promise<number | undefined> =>
    (await service?.request({ path: '/write', method: 'POST', headers, body: '{}' }))?.statusCode
  expect(await post({ origin: 'https://evil.com' })).toBe(403)
  expect(await post({ host: 'evil.com' })).toBe(403)
  expect(existsSync(mark)).toBe(false)
  expect(await post({})).toBe(200)
  expect(existsSync(mark)).toBe(true)
})
