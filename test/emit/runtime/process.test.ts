import { type AddressInfo, connect, createServer } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../../src/dev/postgres.ts'
import { freshDatabase, ownPostgres, type TestDatabase } from '../../postgres.ts'
import { authFiles } from '../auth/fixture.ts'
import { inLanguage, setupPath, setupText, testLanguage } from '../platform.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  writeCredentials,
} from '../service-process.ts'

// The authentication service stands for all: main.ts and the rest of the shell are the same in each.
let database: TestDatabase
let environment: Record<string, string>
let service: ServiceProcess | undefined

beforeAll(async () => {
  database = await freshDatabase()
  const credentials = await writeCredentials(await temporaryDirectory())
  environment = { DATABASE_URL: database.url, GATEWAY_CREDENTIALS_FILE: credentials.file }
  return () => database.drop()
})
afterEach(async () => {
  await service?.discard()
  service = undefined
})

async function start(
  env: Record<string, string> = {},
  changes: Record<string, string> = {},
  until?: string,
): Promise<ServiceProcess> {
  service = await startService(authFiles, 'auth', { ...environment, ...env }, changes, until)
  return service
}

/** How the error of a configuration begins. */
const INVALID = inLanguage({ typescript: 'Invalid configuration', go: 'invalid configuration' })

test('a configuration that cannot be stops the start with a sentence', async () => {
  const { ended, log } = await start({ PORT: 'abc' })
  expect(await ended).toBe(1)
  const message = `${INVALID}: PORT must be an integer`
  expect(log()).toMatchObject([{ level: 'fatal', message: 'Could not start', err: { message } }])
})

test('a setting that is missing stops the start with its name', async () => {
  const settings = setupText(
    `import { z } from 'zod'

export const Settings = z.object({ MAIL_KEY: z.string() })
export type Settings = z.infer<typeof Settings>
`,
    'required-setting.go',
  )
  const file = inLanguage({ typescript: 'auth/src/settings.ts', go: 'auth/settings.go' })
  const { ended, log } = await start({}, { [file]: settings })
  expect(await ended).toBe(1)
  expect(log().at(-1)).toMatchObject({ err: { message: `${INVALID}: MAIL_KEY is missing` } })
})

test('an empty variable is one that is not set', async () => {
  const { url } = await start({ LOG_LEVEL: '', MAX_BODY_BYTES: '' })
  expect(url).not.toBe('')
})

test('a setup that fails stops the start and says why', async () => {
  const setup = setupText(
    `export default async function setup(): Promise<void> {
  await Promise.resolve()
  throw new Error('No such queue')
}
`,
    'failing.go',
  ).replace('example.com/p/', 'example.com/shop/')
  const { ended, log } = await start({}, { [setupPath('auth')]: setup })
  expect(await ended).toBe(1)
  expect(log().at(-1)).toMatchObject({
    message: 'Could not start',
    err: {
      message: 'No such queue',
      ...(testLanguage() === 'typescript' && { stack: expect.stringContaining('setup.ts:3') }),
    },
  })
})

test('health: live and ready until it is told to stop', async () => {
  const { internalUrl, url, signal, ended } = await start({ DRAIN_MS: '500' })
  expect((await fetch(`${internalUrl}/health/live`)).status).toBe(200)
  expect((await fetch(`${internalUrl}/health/ready`)).status).toBe(200)
  expect((await fetch(`${url}/health/live`)).status).toBe(404)
  signal('SIGTERM')
  const statuses: number[] = []
  for (;;) {
    const response = await fetch(`${internalUrl}/health/ready`).catch(() => undefined)
    if (response === undefined) break
    statuses.push(response.status)
  }
  expect(statuses).toContain(503)
  expect(await ended).toBe(0)
})

const STOPPING = setupText(
  `import type { Env } from './hooks.ts'

export default function setup(env: Env): void {
  env.onStop(() => {
    throw new Error('Thrown while stopping')
  })
  env.onStop(async () => {
    await Promise.reject(new Error('Rejected while stopping'))
  })
  env.onStop(async () => {
    const accounts = await env.datastore.listAuth()
    env.log.info({ isArray: Array.isArray(accounts) }, 'my cleanup')
  })
}
`,
  'process.go',
)

test('SIGTERM runs every function of onStop, with the database at hand, whichever of them fails', async () => {
  const { signal, ended, log } = await start({}, { [setupPath('auth')]: STOPPING })
  signal('SIGTERM')
  expect(await ended).toBe(0)
  const lines = log().slice(log().findIndex(({ message }) => message === 'stopping'))
  const failed = (message: string) => ({
    level: 'error',
    message: `A function registered with ${inLanguage({ typescript: 'onStop', go: 'OnStop' })} failed`,
    err: { message },
  })
  expect(lines).toMatchObject([
    { message: 'stopping' },
    failed(inLanguage({ typescript: 'Thrown while stopping', go: 'panic: string' })),
    failed('Rejected while stopping'),
    { level: 'info', message: 'my cleanup', isArray: true },
    { message: 'stopped' },
  ])
})

test('stopping while it waits for its database', async () => {
  const { DATABASE_URL: _, ...env } = environment
  service = await startService(authFiles, 'auth', env, {}, 'Waiting for the database')
  service.signal('SIGTERM')
  expect(await service.ended).toBe(0)
})

test('each reason for which it waits for its database is logged once, such as what a pooler refuses', async () => {
  const { hostname, port } = new URL(database.url)
  let rejection: readonly [code: string, message: string] | undefined = [
    '57P03',
    'the database system is starting up',
  ]
  let connections = 0
  const pooler = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    for (const each of [socket, upstream]) each.on('error', () => {})
    // The first one applies the migrations.
    if (rejection === undefined || ++connections === 1) {
      socket.pipe(upstream).pipe(socket)
      return
    }
    upstream.destroy()
    const [code, message] = rejection
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
    const length = Buffer.alloc(4)
    length.writeInt32BE(fields.length + 4)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const url = new URL(database.url)
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`
  const reject = async (code: string, message: string) => {
    rejection = [code, message]
    await expect.poll(() => service?.output.text).toContain(JSON.stringify(message))
  }
  await start({ DATABASE_URL: url.href }, {}, 'Waiting for the database')
  await reject('08P01', 'unsupported startup parameter: options')
  await reject('28P01', 'password authentication failed for user "auth"')
  await reject('3D000', 'database "auth" does not exist')
  await reject('53300', 'no more connections allowed (max_client_conn)')
  rejection = undefined
  await expect.poll(() => service?.output.text).toContain('"message":"ready"')
  const waits = service?.log().filter(({ message }) => message.startsWith('Waiting'))
  expect(waits).toHaveLength(5)
  pooler.close()
})

test('a killed database: 503 while it is away, full service when it is back, and no restart', async () => {
  const server = await ownPostgres()
  const own = await server.ensureDatabase('auth')
  const { url, internalUrl } = await start({ DATABASE_URL: own.url })
  const answer = async (operation: string) => {
    const body = JSON.stringify({ email: 'ada@example.org', password: 'correct horse' })
    const response = await fetch(`${url}/auth/${operation}`, { method: 'POST', body })
    return [response.status, await response.json()]
  }
  const ready = async () => (await fetch(`${internalUrl}/health/ready`)).status
  expect(await answer('register')).toMatchObject([201, {}])

  process.kill(server.pid, 'SIGKILL')
  await server.ended
  const unavailable = [503, { error: 'Auth is unavailable' }]
  for (let count = 0; count < 20; count++) expect(await answer('login')).toEqual(unavailable)
  expect(await Promise.all(Array.from({ length: 100 }, () => answer('login')))).toEqual(
    Array.from({ length: 100 }, () => unavailable),
  )
  expect(await ready()).toBe(503)

  const again = await startPostgres({ directory: server.directory, port: server.port })
  await expect.poll(async () => (await answer('login'))[0], { timeout: 15_000 }).toBe(200)
  expect(await ready()).toBe(200)
  await again.stop()
  await server.discard()
})

const CARELESS = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  router.post('/auth/careless', (c) => {
    const record = { id: '00000000-0000-1000-8000-000000000000', email: 's3cret@example.org', passwordHash: 'short' }
    void env.datastore.createAuth(record)
    return c.json({})
  })
  router.post('/auth/broken', (c) => {
    setTimeout(() => {
      throw new Error('Broken in a timer')
    })
    return c.json({})
  })
}
`,
  'process.go',
)

if (testLanguage() === 'typescript')
  test('what the user forgot to await is logged without values, and the service goes on', async () => {
    const { url, log, output } = await start({}, { [setupPath('auth')]: CARELESS })
    expect((await fetch(`${url}/auth/careless`, { method: 'POST' })).status).toBe(200)
    await expect
      .poll(() => log().find(({ level }) => level === 'error'))
      .toMatchObject({
        message: 'Unhandled promise rejection',
        err: { code: '23514', constraint: 'auth__password_hash__check' },
      })
    expect((await fetch(`${url}/auth/careless`, { method: 'POST' })).status).toBe(200)
    expect(output.text).not.toContain('s3cret')
  })

const STREAMS = setupText(
  `import { stream } from 'hono/streaming'
import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  const record = { id: '00000000-0000-1000-8000-000000000000', email: 's3cret@example.org', passwordHash: 'short' }
  router.get('/auth/helper', (c) =>
    stream(c, async (body) => {
      await body.write('first')
      await env.datastore.createAuth(record)
    }),
  )
  router.get('/auth/body', (c) => c.body(ReadableStream.from(rows())))
  async function* rows() {
    yield new TextEncoder().encode('first')
    await env.datastore.createAuth(record)
  }
  router.get('/auth/own', (c) => {
    console.error('My own line')
    return c.json({})
  })
}
`,
  'process.go',
)

test('an error of a stream is logged without values', async () => {
  const { url, log, output } = await start({}, { [setupPath('auth')]: STREAMS })
  const words = inLanguage({ typescript: 'Error printed', go: 'Response aborted' })
  const failed = () => log().filter(({ message }) => message === words)
  const failure = { level: 'error', err: { code: '23514', constraint: 'auth__password_hash__check' } }
  await expect(fetch(`${url}/auth/body`).then((response) => response.text())).rejects.toThrow('terminated')
  await expect.poll(failed).toMatchObject([failure])
  if (testLanguage() === 'typescript') {
    await fetch(`${url}/auth/helper`).then((response) => response.text())
    await expect.poll(failed).toMatchObject([failure, { ...failure, requestId: expect.any(String) }])
    await fetch(`${url}/auth/own`)
    await expect.poll(() => output.text).toContain('My own line')
  }
  expect(output.text).not.toContain('s3cret')
})

test('a target that the gateway sends a second time, as a header, is not too large', async () => {
  const { url } = await start()
  const target = `/auth/${'x'.repeat(14_000)}`
  const response = await fetch(`${url}${target}`, { headers: { 'x-envoy-original-path': `/api${target}` } })
  expect(response.status).toBe(404)
})

test('an exception that nobody catches ends the service at once, with its reason', async () => {
  const { url, log, ended, output } = await start({}, { [setupPath('auth')]: CARELESS })
  await fetch(`${url}/auth/broken`, { method: 'POST' }).catch(() => undefined)
  if (testLanguage() === 'go') {
    expect(await ended).toBe(2)
    expect(output.text).toMatch(/^panic: Broken in a goroutine\n.*\/setup\.go:\d+/ms)
    return
  }
  expect(await ended).toBe(1)
  const fatal = log().find(({ level }) => level === 'fatal')
  expect(fatal).toMatchObject({ err: { message: 'Broken in a timer' } })
})

test('SIGTERM under load loses no accepted request', async () => {
  // On a busy machine the last of 16 hashes takes longer than the default.
  const running = await start({ DRAIN_MS: '2000', SHUTDOWN_TIMEOUT_MS: '60000' })
  const agent = new Agent({ connections: 32, pipelining: 1 })
  const outcomes = new Map<string, number>()
  const over = new AbortController()

  async function client(number: number): Promise<void> {
    let wasReset = false
    for (let count = 0; !over.signal.aborted; count++) {
      const body = JSON.stringify({ email: `nobody${number}@example.org`, password: `password ${count}` })
      // Half of the requests wait for a hash, the others only for the database.
      const target = number % 2 === 0 ? 'auth/login' : 'auth/nothing'
      const outcome = await undiciFetch(`${running.url}/${target}`, {
        method: 'POST',
        body,
        dispatcher: agent,
      }).then(
        async (response) => {
          await response.text()
          return String(response.status)
        },
        (error: unknown) => codeOf(error),
      )
      // The kernel resets a connection that it takes in the moment in which the process stops to listen, and a client
      // can use a connection in the moment in which the service closes it. Neither request is handled: see below.
      if (wasReset) expect(outcome).toBe('ECONNREFUSED')
      wasReset = outcome === 'ECONNRESET' || outcome === 'UND_ERR_SOCKET'
      if (!wasReset) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (outcome === 'ECONNREFUSED') return
    }
  }

  const clients = Array.from({ length: 32 }, (_, number) => client(number))
  await expect.poll(() => outcomes.get('401') ?? 0, { timeout: 40_000 }).toBeGreaterThan(5)
  running.signal('SIGTERM')
  expect(await running.ended).toBe(0)
  over.abort()
  await Promise.all(clients)
  await agent.destroy()
  expect([...outcomes.keys()].sort()).toEqual(['401', '404', 'ECONNREFUSED'])
  const handled = running.log().filter(({ message }) => message === 'request')
  expect(handled).toHaveLength((outcomes.get('401') ?? 0) + (outcomes.get('404') ?? 0))
  expect(running.log().at(-1)?.message).toBe('stopped')
  expect(running.log().filter(({ level }) => level !== 'info')).toEqual([])
})

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error)
}
