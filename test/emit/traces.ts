import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitProject } from '../../src/emit/project.ts'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { ownPostgres } from '../postgres.ts'
import { startReceiver } from './otlp.ts'
import { platformOf } from './platform.ts'
import { type ServiceProcess, startService } from './service-process.ts'

export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
export const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

/** Two services of which one asks the other. */
export const tracedFiles = (language: string): readonly GeneratedFile[] =>
  emitProject(
    platformOf(`P: project { #language(${language}); }
Home: service { name: string @unique; #enumerable; }
Stay: service { home: Home; }`),
  )

/** Starts the services of {@link tracedFiles}, whose files may be changed, with databases of their own. */
export type Start = (directory: 'home' | 'stay', env?: Record<string, string>) => Promise<ServiceProcess>

const discarded: (() => unknown)[] = []
let server: Awaited<ReturnType<typeof ownPostgres>>

/** What starts services for tests of a file, and ends them after these. */
export function startsTraced(
  files: readonly GeneratedFile[],
  changes: () => Readonly<Record<string, string>> = () => ({}),
): Start {
  beforeAll(async () => {
    server = await ownPostgres()
  })
  afterAll(async () => {
    for (const discard of discarded.toReversed()) await discard()
    await server.discard()
  })
  return async (directory, env = {}) => {
    const { url } = await server.ensureDatabase(directory)
    const service = await startService(files, directory, { DATABASE_URL: url, ...env }, changes())
    discarded.push(() => service.discard())
    return service
  }
}

export const send = (url: string, method: string, headers: Record<string, string>, body?: unknown) =>
  fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

/** Ends a service and returns the lines of its log. */
export async function logOf(service: ServiceProcess) {
  service.signal('SIGTERM')
  await service.ended
  return service.log()
}

export const requestsOf = (lines: ReturnType<ServiceProcess['log']>) =>
  lines.filter(({ message }) => message === 'request')

/** What services send to a collector, whatever their language. */
export function withCollector(start: Start): void {
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
}
