import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { ownPostgres } from '../../postgres.ts'
import { platformOf } from '../platform.ts'
import { type ServiceProcess, startService, temporaryDirectory } from '../service-process.ts'

const FILES = emitProject(
  platformOf(`P: project {}
Home: service { name: string @unique; #enumerable; }
Stay: service { home: Home; }`),
)

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

/** Prints the names of imported packages. */
const LISTING = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    console.log('imported ' + name)
    return next(name, context)
  },
})`

/** Attributes by their name, and what else the tests look at. */
interface Span {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<Span, 'attributes'> & { readonly attributes: readonly Attribute[] })[]
    }[]
  }[]
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** An OpenTelemetry collector, as far as services use it: OTLP over HTTP, in JSON. */
async function startReceiver() {
  const spans: Span[] = []
  const headers: IncomingHttpHeaders[] = []
  const receive = async (request: IncomingMessage) => {
    headers.push(request.headers)
    const { resourceSpans } = (await json(request)) as Received
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, service, attributes: valuesOf(span.attributes) })
    }
  }
  const receiver = createServer((request, response) => {
    void receive(request).then(() => response.setHeader('Content-Type', 'application/json').end('{}'))
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, headers, close: () => receiver.close() }
}

const discarded: (() => unknown)[] = []
let server: Awaited<ReturnType<typeof ownPostgres>>

beforeAll(async () => {
  server = await ownPostgres()
})
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
  await server.discard()
})

async function start(directory: 'home' | 'stay', env: Record<string, string> = {}): Promise<ServiceProcess> {
  const { url } = await server.ensureDatabase(directory)
  const service = await startService(FILES, directory, { DATABASE_URL: url, ...env })
  discarded.push(() => service.discard())
  return service
}

const send = (url: string, method: string, headers: Record<string, string>, body?: unknown) =>
  fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

/** Ends a service and returns the lines of its log. */
async function logOf(service: ServiceProcess) {
  service.signal('SIGTERM')
  await service.ended
  return service.log()
}

const requestsOf = (lines: ReturnType<ServiceProcess['log']>) =>
  lines.filter(({ message }) => message === 'request')

describe('without a collector', () => {
  test('a trace goes on in called services and in the log, and no package of OpenTelemetry is loaded', async () => {
    const file = path.join(await temporaryDirectory(), 'listing.mjs')
    await writeFile(file, LISTING)
    const env = { NODE_OPTIONS: `--import=${file}` }
    const home = await start('home', env)
    const stay = await start('stay', { ...env, HOME_INTERNAL_URL: home.internalUrl })
    const traced = { traceparent: TRACEPARENT, tracestate: 'vendor=1' }
    const created = (await (await send(`${home.url}/home`, 'POST', traced, { name: 'a' })).json()) as {
      id: string
    }
    expect((await send(`${stay.url}/stay`, 'POST', traced, { home: created.id })).status).toBe(201)
    // Invalid or missing: each request gets a trace of its own.
    for (const traceparent of [
      undefined,
      'x',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `${TRACEPARENT}, x`,
    ])
      await send(`${stay.url}/stay`, 'POST', traceparent === undefined ? {} : { traceparent }, {
        home: created.id,
      })

    const stayLines = await logOf(stay)
    const homeLines = await logOf(home)
    const [first, ...others] = requestsOf(stayLines).map(({ traceId }) => String(traceId))
    expect(first).toBe(TRACE_ID)
    expect(new Set([TRACE_ID, ...others]).size).toBe(5)
    for (const id of others) expect(id).toMatch(/^[\da-f]{32}$/)
    // The calls of stay, after the request of the client.
    expect(requestsOf(homeLines).map(({ traceId }) => traceId)).toEqual([TRACE_ID, first, ...others])
    expect(home.output.text + stay.output.text).toContain('imported hono')
    expect(home.output.text + stay.output.text).not.toContain('imported @opentelemetry')
  })
})

describe('with a collector', () => {
  test('requests, calls and statements are spans of one trace, whose id is in the log', async () => {
    const receiver = await startReceiver()
    discarded.push(receiver.close)
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret',
    }
    const home = await start('home', env)
    const stay = await start('stay', { ...env, HOME_INTERNAL_URL: home.internalUrl })
    const name = 'a name that is nowhere'
    const created = (await (await send(`${home.url}/home`, 'POST', {}, { name })).json()) as { id: string }
    const traced = { traceparent: TRACEPARENT }
    const stayCreated = await send(`${stay.url}/stay`, 'POST', traced, { home: created.id })
    expect(stayCreated.status).toBe(201)
    expect((await send(`${home.url}/home`, 'POST', traced, { name })).status).toBe(409)
    expect((await send(`${home.url}/nothing`, 'GET', traced)).status).toBe(404)
    // More than there are connections: each statement belongs to the request that waits for it.
    const many = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(32, 'f'))
    await Promise.all(
      many.map((id) => send(`${home.url}/home/all`, 'GET', { traceparent: `00-${id}-00f067aa0ba902b7-01` })),
    )
    const unsampled = { traceparent: TRACEPARENT.replace(/.$/, '0').replaceAll('4bf9', '0000') }
    await send(`${home.url}/home/all`, 'GET', unsampled)
    const stayLines = await logOf(stay)
    const homeLines = await logOf(home)

    const trace = receiver.spans.filter(({ traceId }) => traceId === TRACE_ID)
    const named = (service: string, spanName: string) => {
      const found = trace.filter((span) => span.service === service && span.name === spanName)
      expect(found.length, `${service}: ${spanName}`).toBeGreaterThan(0)
      return found[0]
    }
    const request = named('stay', 'POST /stay')
    expect(request).toMatchObject({
      parentSpanId: '00f067aa0ba902b7',
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/stay',
        'url.path': '/stay',
        'http.response.status_code': 201,
      },
    })
    const called = named('stay', 'POST Home')
    expect(called).toMatchObject({ parentSpanId: request?.spanId, kind: 3 })
    const answered = named('home', 'POST /references')
    expect(answered).toMatchObject({ parentSpanId: called?.spanId, kind: 2 })
    const statement = named('home', 'select home')
    expect(statement).toMatchObject({
      parentSpanId: answered?.spanId,
      kind: 3,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'select',
        'db.collection.name': 'home',
      },
    })
    expect(named('stay', 'insert stay')).toMatchObject({ parentSpanId: request?.spanId })
    expect(named('home', 'insert home')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': '23P01' },
    })
    expect(named('home', 'GET')).toMatchObject({ attributes: { 'http.response.status_code': 404 } })
    expect(JSON.stringify(receiver.spans)).not.toContain(name)
    expect(receiver.headers.every((headers) => headers['api-key'] === 'secret')).toBe(true)

    for (const id of many)
      expect(receiver.spans.filter(({ traceId }) => traceId === id).map((span) => span.name)).toEqual(
        expect.arrayContaining(['GET /home/all', 'select home']),
      )
    expect(receiver.spans.some(({ traceId }) => traceId.startsWith('0000'))).toBe(false)
    expect(requestsOf(stayLines).map(({ traceId }) => traceId)).toEqual([TRACE_ID])
    expect(requestsOf(homeLines).filter(({ traceId }) => traceId === TRACE_ID)).toHaveLength(3)
  })

  test('a share of the traces is recorded, and a collector that is away is reported', async () => {
    const receiver = await startReceiver()
    receiver.close()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    }
    const home = await start('home', env)
    expect((await send(`${home.url}/home/all`, 'GET', {})).status).toBe(200)
    expect((await send(`${home.url}/home/all`, 'GET', { traceparent: TRACEPARENT })).status).toBe(200)
    await expect.poll(() => home.output.text, { timeout: 10_000 }).toContain('Could not send traces')
    const lines = await logOf(home)
    const [report, ...others] = lines.filter(({ message }) => message === 'Could not send traces')
    expect(others).toEqual([])
    // The request that has started the timer is only one of those whose spans were not sent.
    expect(report).not.toHaveProperty('traceId')
    expect(report).not.toHaveProperty('requestId')
    expect(requestsOf(lines).every(({ traceId }) => /^[\da-f]{32}$/.test(String(traceId)))).toBe(true)
    expect(await home.ended).toBe(0)
  })

  test('invalid settings are refused', async () => {
    const service = await start('home', {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_TRACES_SAMPLER_ARG: '2',
    })
    expect(service.output.text).toContain(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, OTEL_TRACES_SAMPLER_ARG must be at most 1',
    )
  })
})
