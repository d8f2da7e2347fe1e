import { randomBytes, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, vi } from 'vitest'
import { hasQueue } from '../../src/emit/database/jobs.ts'
import { metricNames } from '../../src/model/metrics.ts'
import { hasOperation } from '../../src/model/entities.ts'
import type { Authentication, Platform, Service } from '../../src/model/platform.ts'

/** A running platform, whose services can be reached without the gateway. */
export interface ContractEnvironment {
  readonly platform: Platform
  /** The token of a user without entities; `undefined` without authentication. */
  readonly token: string | undefined
  /** The base URL of a port of the service in a directory (`http://172.18.0.4:8081`); `undefined` if it is out of reach. */
  url(directory: string, port: Port): string | undefined
  /** What the service in a directory has logged; `undefined` if its host shows lines in a form of its own. */
  log(directory: string): Promise<string | undefined>
}

export type Port = 'api' | 'internal' | 'metrics'

const PASSWORD = 'difference engine'

/** Expects of every service what `docs/service-contract.md` says. Black box: the language of a service makes no difference. */
export async function expectServiceContract(environment: ContractEnvironment): Promise<void> {
  const { authentication, services } = environment.platform
  for (const service of services) {
    await expectPorts(environment, service)
    await expectIdentity(environment, service)
    await expectCalls(environment, service)
    await expectLog(environment, service)
  }
  if (authentication !== undefined) await expectPorts(environment, authentication)
}

/** Registers a user at a gateway (`host:port`), and returns the token. */
export async function register(gateway: string): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const response = await fetch(`http://${gateway}/api/auth/register`, {
    method: 'POST',
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  return ((await response.json()) as { AccessToken: string }).AccessToken
}

/** The URL of a port of a service in a container or pod of its own; `undefined` of one that it does not have. */
export function urlOf(platform: Platform, directory: string, host: string, port: Port): string | undefined {
  const { services, authentication, metrics } = platform
  const service = [...services, authentication].find((each) => each?.directory === directory)
  if (service === undefined || (port === 'metrics' && metrics === undefined)) return undefined
  const number = { api: service.port, internal: service.internalPort, metrics: service.metricsPort }[port]
  return `http://${host}:${number}`
}

/** Health on the second port, metrics on the third, neither on another. */
async function expectPorts(
  environment: ContractEnvironment,
  service: Service | Authentication,
): Promise<void> {
  const get = async (port: Port, path: string, status: number | undefined, text: RegExp) => {
    const url = environment.url(service.directory, port)
    if (url === undefined) return
    const response = await send(url + path)
    // Without a token, whether there is such a path stays unknown.
    if (status === undefined) expect([401, 404]).toContain(response.status)
    expect(response).toMatchObject({ status: status ?? response.status, text: expect.stringMatching(text) })
  }
  await get('internal', '/health/live', 200, /^{"status":"live"}$/)
  await get('internal', '/health/ready', 200, /^{"status":"ready"}$/)
  if (environment.platform.metrics !== undefined)
    for (const name of metricsOf(service))
      await get('metrics', '/metrics', 200, new RegExp(`^# TYPE ${name} (?:counter|gauge|histogram)$`, 'm'))
  await get('metrics', '/health/live', undefined, /./)
  await get('internal', '/metrics', undefined, /^{"error":/)
  for (const path of ['/health/live', '/metrics']) await get('api', path, undefined, /^{"error":/)
}

/** The metrics that a service has. Those of jobs come with jobs. */
function metricsOf(service: Service | Authentication): string[] {
  return Object.entries(metricNames(service)).flatMap(([key, name]) =>
    hasQueue(service) || !key.startsWith('job') ? [name] : [],
  )
}

/** A service verifies tokens itself, at both ports, as the gateway does. */
async function expectIdentity(environment: ContractEnvironment, service: Service): Promise<void> {
  const { token } = environment
  if (token === undefined) return
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  const { iss, id } = JSON.parse(payload) as { iss: string; id: string }
  const sign = (issuer: string) =>
    new SignJWT({ id })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(randomBytes(32))
  for (const url of entityUrls(environment, service))
    for (const each of [undefined, await sign(iss), await sign('another-issuer'), `${token}x`]) {
      const response = await send(url, each)
      expect(response).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' })
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
}

/** The second port serves what other services call: the API, with access rules, and checks of references. */
async function expectCalls(environment: ContractEnvironment, service: Service): Promise<void> {
  const { token } = environment
  const missing = `${service.names.declared} not found: ${ID}`
  const found = hasOperation(service.entity, 'read') ? { status: 404, text: `{"error":"${missing}"}` } : {}
  for (const url of entityUrls(environment, service)) {
    const response = await send(url, token)
    expect(response).toMatchObject(found)
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  const check = (port: Port) => {
    const url = environment.url(service.directory, port)
    return url === undefined ? undefined : send(`${url}/references`, token, {}, { ids: [ID, 'no-id'] })
  }
  const known = { status: 200, text: `{"unknown":["${ID}","no-id"]}` }
  expect(await check('internal')).toMatchObject(service.referenced ? known : { status: 404 })
  expect((await check('api'))?.status ?? 404).toBe(404)
}

/** Each request is a line of JSON with the ids of the request and of its trace, and without what it contains. */
async function expectLog(environment: ContractEnvironment, service: Service): Promise<void> {
  const { token } = environment
  const [url = expect.unreachable()] = entityUrls(environment, service)
  const requestId = randomUUID()
  const traceId = randomBytes(16).toString('hex')
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`
  const response = await send(`${url}?secret=s3cret`, token, { 'x-request-id': requestId, traceparent })
  expect(response.headers.get('x-request-id')).toBe(requestId)
  const log = () => environment.log(service.directory)
  if ((await log()) === undefined) return
  const line: unknown = await vi.waitFor(
    async () => {
      const found = (await log())?.split('\n').find((each) => each.includes(requestId))
      // The last line may not be complete.
      return JSON.parse(
        found ?? expect.unreachable(`${service.directory} has not logged request ${requestId}`),
      )
    },
    { timeout: 20_000, interval: 100 },
  )
  expect(line).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
    level: 'info',
    message: 'request',
    service: service.directory,
    requestId,
    traceId,
    method: 'GET',
    path: new URL(url).pathname,
    status: response.status,
    durationMs: expect.any(Number),
    ...(token === undefined ? {} : { user: userOf(token) }),
  })
  expect(await log()).not.toContain('s3cret')
  if (token !== undefined) expect(await log()).not.toContain(token)
}

/** The id of the user of a token. */
function userOf(token: string): unknown {
  const [, claims = ''] = token.split('.')
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { id?: unknown }).id
}

const ID = '00000000-0000-7000-8000-000000000000'

/** The URLs of an entity that does not exist, at each port that serves it. */
function entityUrls(environment: ContractEnvironment, { directory, path }: Service): string[] {
  const api = environment.url(directory, 'api')
  const internal = environment.url(directory, 'internal')
  return [
    ...(api === undefined ? [] : [`${api}${path.slice('/api'.length)}/${ID}`]),
    ...(internal === undefined ? [] : [`${internal}${path}/${ID}`]),
  ]
}

async function send(
  url: string,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const response = await fetch(url, {
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
