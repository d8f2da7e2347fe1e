import { expect, test, vi } from 'vitest'
import { connect, pathOf } from '../../templates/client/typescript/src/connection.ts'
import { createSession } from '../../templates/client/typescript/src/session.ts'
import { pagesOf } from '../../templates/client/typescript/src/endpoint-pages.ts'
import { listOf } from '../../templates/client/typescript/src/pages.ts'

const GATEWAY = 'http://gateway.example'

test('an error of a proxy has a message, with HTTP/2 too', async () => {
  const send = (response: Response) =>
    connect({ gateway: GATEWAY, fetch: async () => response }).send({ method: 'GET', path: '/api/home/1' })
  expect(await send(new Response('<html>', { status: 502 }))).toMatchObject({
    error: { kind: 'unavailable', message: 'Status 502' },
  })
  expect(await send(new Response('', { status: 502, statusText: 'Bad Gateway' }))).toMatchObject({
    error: { message: 'Bad Gateway' },
  })
  expect(await send(Response.json({ message: 'Not Found' }, { status: 404 }))).toMatchObject({
    error: { message: 'Not Found' },
  })
})

test('an error has the id with which the logs name the request', async () => {
  const respond = (body: string, status: number) =>
    connect({
      gateway: GATEWAY,
      fetch: async () => new Response(body, { status, headers: { 'x-request-id': 'a-b-c' } }),
    }).send({ method: 'GET', path: '/api/home/1' })
  expect(await respond('{"error": "Internal server error"}', 500)).toMatchObject({
    error: { kind: 'refused', message: 'Internal server error', status: 500, requestId: 'a-b-c' },
  })
  expect(await respond('<html>', 200)).toMatchObject({
    error: { message: 'The response is not JSON', status: 200, requestId: 'a-b-c' },
  })
})

test.each([Infinity, 2 ** 31])('a timeout of %d ms is not one of 1 ms', async (timeoutMs) => {
  const connection = connect({
    gateway: GATEWAY,
    timeoutMs,
    fetch: async (_url, init) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      init?.signal?.throwIfAborted()
      return Response.json({})
    },
  })
  expect(await connection.send({ method: 'GET', path: '/api/home/1' })).toEqual({ ok: true, value: {} })
})

test.each(['', '.', '..'])('the id %j is an error, and no request', async (id) => {
  const connection = connect({ gateway: GATEWAY, fetch: () => expect.unreachable() })
  for (const template of ['/api/home/{id}', '/api/home/{parentId}/photo/all'])
    expect(await connection.send({ method: 'DELETE', path: pathOf(template, id) })).toMatchObject({
      ok: false,
      error: { kind: 'invalid', message: 'Invalid id' },
    })
  expect(await listOf(connection, pathOf('/api/home/{id}/photo/all', id), 'PhotoList').all()).toMatchObject({
    ok: false,
  })
})

test('other ids are escaped', () => {
  expect(pathOf('/api/{id}/x', '../auth?#')).toBe('/api/..%2Fauth%3F%23/x')
  expect(pathOf('/api/{id}', '...')).toBe('/api/...')
  expect(pathOf('/api/{id}', '\ud83d')).toBe('/api/%EF%BF%BD')
})

test('nothing is in an empty list of values', async () => {
  const connection = connect({ gateway: GATEWAY, fetch: () => expect.unreachable() })
  const options = { filter: { 'name[in]': [] }, total: true }
  const list = listOf(connection, '/api/home/all', 'HomeList', options)
  expect(await list.all()).toEqual({ ok: true, value: [] })
  expect(await list.page()).toEqual({ ok: true, value: { entities: [], next: undefined, total: 0 } })
  for await (const result of list) expect.unreachable(JSON.stringify(result))
})

test('a filter by a text that ends in half of an emoji does not throw', async () => {
  let requested = ''
  const connection = connect({
    gateway: GATEWAY,
    fetch: async (url) => {
      requested = new Request(url).url
      return Response.json({ HomeList: [] })
    },
  })
  const list = listOf(connection, '/api/home/all', 'HomeList', { filter: { name: '👍'.slice(0, 1) } })
  expect(await list.all()).toEqual({ ok: true, value: [] })
  expect(requested).toBe(`${GATEWAY}/api/home/all?name=%EF%BF%BD`)
})

test.each([
  [503, 'unavailable'],
  [401, 'unauthorized'],
])('if the login after a rejected token gets %i, the error is %s', async (status, kind) => {
  const options = {
    gateway: GATEWAY,
    credentials: { email: 'ada@example.org', password: 'difference engine' },
    fetch: async (url: unknown) =>
      String(url).endsWith('/login')
        ? Response.json({ error: 'of the login' }, { status })
        : Response.json({ message: 'Unauthorized' }, { status: 401 }),
  }
  const { authorizer } = createSession('/api/auth', connect(options), options)
  expect(await connect(options, authorizer).send({ method: 'GET', path: '/api/home/1' })).toEqual({
    ok: false,
    error: { kind, message: 'of the login', status },
  })
})

test('a rejected request is not repeated with the token of another user', async () => {
  const credentials = { email: 'ada@example.org', password: 'difference engine' }
  const sent: unknown[] = []
  let duringRequest = async (): Promise<void> => {}
  let logins = 0
  const options = {
    gateway: GATEWAY,
    credentials,
    fetch: async (url: unknown, init?: RequestInit) => {
      if (String(url).endsWith('/login')) return Response.json({ AccessToken: `token ${++logins}` })
      const token = new Headers(init?.headers).get('authorization')
      sent.push(token)
      const isFirst = sent.length % 2 === 1
      if (isFirst) await duringRequest()
      return isFirst ? Response.json({ message: 'Unauthorized' }, { status: 401 }) : Response.json({})
    },
  }
  const { session, authorizer } = createSession('/api/auth', connect(options), options)
  const send = () => connect(options, authorizer).send({ method: 'GET', path: '/api/home/1' })
  expect(await send()).toMatchObject({ ok: true })
  duringRequest = async () => {
    // Another request of the same user has renewed it first.
    await authorizer.renew('token 1')
  }
  expect(await send()).toMatchObject({ ok: true })
  duringRequest = async () => {
    session.signOut()
    await session.login({ email: 'eve@example.org', password: 'difference engine' })
  }
  expect(await send()).toMatchObject({ error: { kind: 'unauthorized' } })
  expect(sent).toEqual([null, 'Bearer token 1', 'Bearer token 1', 'Bearer token 2', 'Bearer token 2'])
})

test('a client uses the `fetch` that is global when it sends a request', async () => {
  const connection = connect({ gateway: GATEWAY })
  vi.stubGlobal('fetch', async () => Response.json({ id: '1' }))
  try {
    expect(await connection.send({ method: 'GET', path: '/api/home/1' })).toMatchObject({ ok: true })
  } finally {
    vi.unstubAllGlobals()
  }
})

test('pages of an endpoint are read until one has no link, whatever `after` contains', async () => {
  const urls: string[] = []
  const connection = connect({
    gateway: GATEWAY,
    fetch: async (given, init) => {
      const url = new Request(given).url
      const { searchParams } = new URL(url)
      urls.push(`${init?.method} ${url.slice(GATEWAY.length)} ${await new Response(init?.body).text()}`)
      const next = new URLSearchParams({ after: 'a+b >&c', limit: '2' })
      const headers = searchParams.has('after')
        ? {}
        : { link: `</api/home/find?${next.toString()}>; rel="next"` }
      return Response.json({ HomeList: [{ id: searchParams.get('after') ?? 'first' }] }, { headers })
    },
  })
  const pages = pagesOf<{ id: string }>(connection, 'HomeList', {
    method: 'POST',
    path: '/api/home/find',
    body: { words: 'x' },
    query: { near: null, text: 'null' },
    options: { pageSize: 2 },
  })
  const found: unknown[] = []
  for await (const result of pages) found.push(result)
  const both = [{ id: 'first' }, { id: 'a+b >&c' }]
  expect(found).toEqual(both.map((value) => ({ ok: true, value })))
  expect(await pages.all()).toEqual({ ok: true, value: both })
  expect(await pages.page()).toEqual({ ok: true, value: { entities: [{ id: 'first' }], next: 'a+b >&c' } })
  expect(urls.slice(0, 2)).toEqual([
    'POST /api/home/find?text=null&limit=2 {"words":"x"}',
    'POST /api/home/find?text=null&limit=2&after=a%2Bb+%3E%26c {"words":"x"}',
  ])
})
