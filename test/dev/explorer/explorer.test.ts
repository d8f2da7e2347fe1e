import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decodeJwt, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createExplorer, type Explorer } from '../../../src/dev/explorer/explorer.ts'
import type { Message } from '../../../src/dev/explorer/messages.ts'
import { type LoggedRequest, createGateway } from '../../../src/dev/gateway/gateway.ts'
import { type LoopbackServers, listenOnLoopback } from '../../../src/dev/gateway/listen.ts'
import { createRoleGrant } from '../../../src/dev/gateway/grant-role.ts'
import { createTokenVerifier } from '../../../src/dev/gateway/verify-token.ts'
import { gatewayRoutes } from '../../../src/model/routes.ts'
import { platformOf } from '../../emit/platform.ts'

const SHOP = platformOf('/// Things. \n Shop: project {} Order: service { label: string; #enumerable; }')
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let directory = ''
let explorer: Explorer
let listening: LoopbackServers
let requests: LoggedRequest[]

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'portico-explorer-'))
  for (const [name, text] of [
    ['index.html', '<title>page</title>'],
    ['reference.html', '<title>reference</title>'],
    ['main.js', 'main'],
    ['part-ABCDEF12.js', 'part'],
  ] as const)
    writeFileSync(join(directory, name), text)
  explorer = createExplorer(pathToFileURL(`${directory}/`))
  requests = []
  const gateway = createGateway({
    service: () => undefined,
    onRequest: (request) => {
      requests.push(request)
      explorer.observe({ kind: 'request', request })
    },
    pages: explorer.serve,
  })
  gateway.configure({ routes: gatewayRoutes(SHOP), verifyToken: undefined })
  explorer.setPlatform(SHOP)
  const opened = await listenOnLoopback(gateway.createServer, 0)
  if (opened === undefined) throw new Error('no port')
  listening = opened
})

afterEach(async () => {
  await listening.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends a request with headers that `fetch` does not allow. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { port: listening.port, host: '127.0.0.1', path, headers, method },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => (body += text))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

describe('the page', () => {
  test('is served to browsers; clients of the API get 404', async () => {
    const page = await send('/', BROWSER)
    expect(page).toMatchObject({ status: 200, body: '<title>page</title>' })
    expect(page.headers['content-security-policy']).toContain("script-src 'self';")
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['vary']).toBe('Accept')
    const missing = { status: 404, body: '{"message": "Not Found"}' }
    expect(await send('/')).toMatchObject(missing)
    expect(await send('/', { accept: 'application/json' })).toMatchObject(missing)
    expect(await send('/', { accept: '*/*' })).toMatchObject(missing)
    expect(await send('/', BROWSER, 'POST')).toMatchObject(missing)
    expect(await send('/', BROWSER, 'HEAD')).toMatchObject({ status: 200, body: '' })
  })

  test('other sites can link to the page, but not load its files', async () => {
    const link = { ...BROWSER, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect(await send('/', link)).toMatchObject({ status: 200 })
    expect(await send('/', { ...BROWSER, host: 'evil.example' })).toMatchObject({ status: 403 })
    expect(await send('/', { ...BROWSER, origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    for (const path of [
      'platform.json',
      'openapi.json',
      'diagram.svg',
      'events',
      'main.js',
      'reference.html',
    ])
      for (const site of ['same-site', 'cross-site'])
        for (const mode of ['navigate', 'no-cors', 'cors'])
          expect(
            await send(`/_explorer/${path}`, { 'sec-fetch-site': site, 'sec-fetch-mode': mode }),
            `${path} ${site} ${mode}`,
          ).toMatchObject({ status: 403 })
  })

  test('serves its files, with inline styles allowed in the frame only', async () => {
    expect(await send('/_explorer/main.js')).toMatchObject({ status: 200, body: 'main' })
    const reference = await send('/_explorer/reference.html', { 'sec-fetch-site': 'same-origin' })
    expect(reference.headers['content-security-policy']).toContain("style-src 'self' 'unsafe-inline'")
    expect(reference.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect((await send('/_explorer/part-ABCDEF12.js')).headers['cache-control']).toContain('immutable')
    expect((await send('/_explorer/main.js')).headers['cache-control']).toBe('no-cache')
    for (const header of ['x-content-type-options', 'cross-origin-resource-policy', 'referrer-policy'])
      expect(reference.headers[header], header).toBeDefined()
  })

  test('serves no other files, and nothing if it was not built', async () => {
    for (const path of [
      '',
      'none.js',
      '../package.json',
      '%2e%2e/package.json',
      '..%2fpackage.json',
      'x/../../y',
    ])
      expect((await send(`/_explorer/${path}`)).status, path).toBeGreaterThanOrEqual(400)
    const unbuilt = createExplorer(pathToFileURL(`${directory}/none/`))
    expect([explorer.isBuilt(), unbuilt.isBuilt()]).toEqual([true, false])
    expect(unbuilt.serve({ method: 'GET', headers: BROWSER } as never, {} as never, '/')).toBe(false)
  })
})

describe('the data of the page', () => {
  test('describes the current platform', async () => {
    expect(JSON.parse((await send('/_explorer/platform.json')).body)).toMatchObject({ name: 'Shop' })
    expect(JSON.parse((await send('/_explorer/openapi.json')).body)).toHaveProperty(['paths', '/api/order'])
    expect((await send('/_explorer/diagram.svg')).body).toContain('data-declaration="Order"')
    explorer.setPlatform(platformOf('Market: project {} Stall: service {}'))
    expect(JSON.parse((await send('/_explorer/platform.json')).body)).toMatchObject({ name: 'Market' })
    expect((await send('/_explorer/diagram.svg')).body).toContain('data-declaration="Stall"')
  })

  test('sends recent events, then new ones, without its own requests', async () => {
    await send('/api/order/1?secret=1')
    explorer.observe({ kind: 'health', service: 'order', health: 'running' })
    const messages = subscribe()
    await expect.poll(() => messages.length).toBe(1)
    expect(messages[0]).toMatchObject({
      entries: [{ kind: 'request', method: 'GET', path: '/api/order/1', status: 503, service: 'order' }],
      health: { order: 'running' },
    })
    await send('/_explorer/main.js')
    await send('/', BROWSER)
    explorer.observe({ kind: 'problem', service: 'order', text: 'did not start' })
    explorer.observe({ kind: 'health', service: 'order', health: 'down' })
    explorer.setPlatform(SHOP)
    await expect.poll(() => messages.length).toBe(2)
    expect(messages[1]?.entries).toMatchObject([{ kind: 'text', level: 'error', text: 'did not start' }])
    expect(messages[1]?.health).toEqual({ order: 'down' })
    expect(messages[1]?.version).toBeGreaterThan(messages[0]?.version ?? 0)
    expect(requests.map(({ path }) => path)).toEqual(['/api/order/1'])
  })

  test('sends a limited number of entries', async () => {
    for (let index = 0; index < 5000; index++)
      explorer.observe({ kind: 'notice', service: undefined, text: String(index) })
    const messages = subscribe()
    await expect.poll(() => messages.length).toBe(1)
    expect(messages[0]?.entries).toHaveLength(300)
    expect(messages[0]?.entries.at(-1)).toMatchObject({ text: '4999' })
  })
})

describe('roles', () => {
  const path = '/_explorer/roles/agent'
  const credential = { id: 'issuer', secret: randomBytes(32).toString('base64url') }
  const desk = platformOf(
    'Desk: project { #authMethod(email); #roles[agent, admin]; } Person: service { #auth; }',
  )
  let authorization = ''

  beforeEach(async () => {
    const token = await new SignJWT({ id: 'user', roles: ['admin'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(credential.id)
      .setExpirationTime('1h')
      .sign(Buffer.from(credential.secret, 'base64url'))
    authorization = `Bearer ${token}`
  })

  test('gives the token of a request a role in place of its own', async () => {
    const verify = createTokenVerifier([credential])
    explorer.setPlatform(desk, { grantRole: createRoleGrant([credential], verify) })
    const granted = await send(path, { authorization, 'sec-fetch-site': 'same-origin' }, 'POST')
    expect(granted).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    const token = (JSON.parse(granted.body) as { AccessToken: string }).AccessToken
    const { exp } = decodeJwt(authorization.slice('Bearer '.length))
    expect(decodeJwt(token)).toEqual({ id: 'user', iss: credential.id, exp, roles: ['agent'] })
    expect(await verify(`Bearer ${token}`)).toBe(true)
  })

  test('gives none without a valid token, to other pages, or that the platform does not have', async () => {
    explorer.setPlatform(desk, {
      grantRole: createRoleGrant([credential], createTokenVerifier([credential])),
    })
    expect((await send(path, {}, 'POST')).status).toBe(401)
    expect((await send(path, { authorization: `${authorization}x` }, 'POST')).status).toBe(401)
    for (const site of ['same-site', 'cross-site'])
      expect((await send(path, { authorization, 'sec-fetch-site': site }, 'POST')).status, site).toBe(403)
    expect((await send(path, { authorization })).status).toBe(404)
    expect((await send('/_explorer/roles/boss', { authorization }, 'POST')).status).toBe(404)
    explorer.setPlatform(SHOP)
    expect((await send(path, { authorization }, 'POST')).status).toBe(404)
  })
})

describe('rows', () => {
  const id = '00000000-0000-7000-8000-000000000001'
  const page = { columns: [{ name: 'id', type: 'uuid' }], rows: [[id]], hasMore: false }
  let asked: unknown[]

  beforeEach(() => {
    asked = []
    explorer.setPlatform(SHOP, {
      readRows: async (...query) => {
        asked.push(query)
        if (query[1] === 'Broken') throw new Error('no database')
        return query[1] === 'Order' ? page : undefined
      },
    })
  })

  test('are sent to the page only, and not logged', async () => {
    const path = `/_explorer/rows/order/Order?column=id&id=${id}&before=${id}`
    const sent = await send(path, { 'sec-fetch-site': 'same-origin' })
    expect(sent).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(sent.body)).toEqual(page)
    expect(asked).toEqual([['order', 'Order', { filter: { column: 'id', id }, before: id }]])
    expect(requests).toEqual([])
    // The rows of jobs have numbers.
    await send('/_explorer/rows/order/job?before=12')
    expect(asked.splice(1)).toEqual([['order', 'job', { filter: undefined, before: '12' }]])
    for (const site of ['same-site', 'cross-site'])
      expect((await send(path, { 'sec-fetch-site': site })).status, site).toBe(403)
    expect((await send(path, { host: 'evil.example' })).status).toBe(403)
    expect((await send(path, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send(path, {}, 'POST')).status).toBe(404)
    expect(asked).toHaveLength(1)
  })

  test('of unknown tables, with invalid ids, and of a database that does not respond are refused', async () => {
    const status = async (path: string) => (await send(`/_explorer/rows/${path}`)).status
    expect(await status('order/Order')).toBe(200)
    expect(await status('order/Line')).toBe(404)
    expect(await status('order')).toBe(404)
    expect(await status('order/Order/more')).toBe(404)
    for (const before of ['x', '-1', '1.5', '1'.repeat(19), `${id}x`])
      expect(await status(`order/Order?before=${before}`), before).toBe(400)
    expect(await status('order/Order?column=id&id=1')).toBe(400)
    expect(await status(`order/Order?column=id&id=${id}x`)).toBe(400)
    expect(await status('order/Order?column=id')).toBe(400)
    expect(await status('order/Broken')).toBe(503)
    explorer.setPlatform(SHOP)
    expect(await status('order/Order')).toBe(404)
  })
})

test('the description names the code of the user as it is now', async () => {
  const code = new Map<string, string>()
  explorer.setPlatform(SHOP, { customCode: () => code })
  const described = async () => JSON.parse((await send('/_explorer/platform.json')).body) as object
  expect(await described()).not.toHaveProperty(['services', 0, 'customCode'])
  const messages = subscribe()
  await expect.poll(() => messages.length).toBe(1)
  code.set('order', 'order/src/setup.ts')
  explorer.observe({ kind: 'reloaded', services: ['order'], stopped: [], failed: [], milliseconds: 1 })
  expect(await described()).toHaveProperty(['services', 0, 'customCode'], 'order/src/setup.ts')
  // The page loads it again, but not the frame in which a request may be half written.
  await expect.poll(() => messages.length).toBe(2)
  expect(messages[1]?.revision).toBeGreaterThan(messages[0]?.revision ?? 0)
  expect(messages[1]?.version).toBe(messages[0]?.version)
})

/** Opens an event stream. Returns its messages, to which new ones are added. */
function subscribe(): Message[] {
  const messages: Message[] = []
  const path = '/_explorer/events'
  httpRequest({ port: listening.port, host: '127.0.0.1', path }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (chunk: string) => {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events)
        if (event.startsWith('data: ')) messages.push(JSON.parse(event.slice('data: '.length)) as Message)
    })
  })
    .on('error', () => {})
    .end()
  return messages
}
