import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInput } from '../../goldens/cases.ts'
import { type Both, startBoth } from './both.ts'
import {
  BODIES,
  bookWith,
  CREDENTIALS,
  DIFFERENT,
  EVERY,
  EVERY_VALUES,
  everyWith,
  FILTERS,
  ID,
  LOAN_QUERIES,
  METHODS,
  PATHS,
  QUERIES,
  RAW,
  type Sent,
  VALUES,
} from './requests.ts'

// The same requests to the services of the golden project in Go, and to one with every type, in both languages.

const USER = '01a21be5-d294-49ea-b18d-c003ae40d1c5'
const OTHER_USER = '01a21be5-d294-49ea-b18d-c003ae40d1c6'
const SERVICES = ['book', 'loan', 'reader', 'every', 'auth']

let services: Both
let librarian: string
let clerk: string
let reader: string
let other: string
beforeAll(async () => {
  services = await startBoth(readInput('go') + EVERY, SERVICES)
  librarian = await services.bearer({ id: USER, roles: ['librarian'] })
  clerk = await services.bearer({ id: OTHER_USER, roles: ['clerk'] })
  reader = await services.bearer({ id: USER })
  other = await services.bearer({ id: OTHER_USER })
  for (let number = 1; number <= 5; number++) {
    const weight = [0.1, null, 7, 1e-7, 3.3][number - 1]
    const language = ['english', 'french', 'other'][number % 3]
    await services.create('book', `b${number}`, '/book', bookWith(number, { weight, language }), librarian)
  }
  await services.create('reader', 'r1', '/reader', '{"name":"Ann"}', reader)
  for (let number = 1; number <= 4; number++)
    await services.create('loan', `l${number}`, '/loan', loanWith(number), clerk)
  for (let number = 1; number <= 4; number++)
    await services.create(
      'every',
      `e${number}`,
      '/every',
      everyWith({ range: number, anyText: `t${number % 2}` }),
      reader,
    )
}, 300_000)

const loanWith = (number: number, more: object = {}) =>
  JSON.stringify({
    book: `{b${(number % 2) + 1}}`,
    reader: '{r1}',
    text: 'é',
    shelf: `S${number % 3}`,
    ...more,
  })

/** Sends a request of the librarian, unless it has headers of its own. */
const to = (service: string, sent: Sent) => {
  const authorization = service === 'loan' ? clerk : librarian
  return services.both(service, { ...sent, headers: { authorization, ...sent.headers } })
}
const both = (sent: Sent) => to('book', sent)

test('values', async () => {
  let number = 100
  for (const [key, values] of VALUES)
    for (const value of values) {
      const rest = bookWith(number++, { [key]: undefined }).slice(0, -1)
      const body = `${rest},${JSON.stringify(key)}:${value}}`
      await both({ method: 'POST', path: '/book', body })
      await both({ method: 'PUT', path: '/book/{b1}', body })
      await both({ method: 'PATCH', path: '/book/{b1}', body: `{${JSON.stringify(key)}:${value}}` })
    }
})

afterAll(() => services?.stop())

test('values of every type', async () => {
  for (const [key, values] of EVERY_VALUES)
    for (const value of values) {
      const body = `${everyWith({ [key]: undefined }).slice(0, -1)},${JSON.stringify(key)}:${value}}`
      await to('every', { method: 'PUT', path: '/every/{e1}', body })
      await to('every', { method: 'PATCH', path: '/every/{e1}', body: `{${JSON.stringify(key)}:${value}}` })
    }
})

test('filters and orders of every type', async () => {
  for (const query of FILTERS) await to('every', { method: 'GET', path: `/every/all?${query}` })
})

test('bodies', async () => {
  for (const body of BODIES) {
    for (const path of ['/book', '/book/{b1}/copy']) await both({ method: 'POST', path, body })
    for (const method of ['PUT', 'PATCH']) await to('loan', { method, path: '/loan/{l1}', body })
    await to('reader', { method: 'POST', path: '/reader', body })
    await to('auth', { method: 'POST', path: '/auth/login', body })
    for (const path of ['/references', '/api/book', '/health/ready'])
      await both({ method: 'POST', path, body, internal: true })
  }
})

test('headers, on both ports', async () => {
  const authorizations = [
    '',
    'x',
    reader.replace('Bearer', 'bearer'),
    reader.replace('Bearer', 'BEARER '),
    `${reader}x`,
    reader,
    librarian,
    await services.bearer({ id: 'x' }),
    await services.bearer({ id: USER }, Buffer.alloc(32, 1)),
    await services.bearer({ id: USER, roles: 'librarian' }),
  ]
  const all: Record<string, string>[] = [
    ...authorizations.map((authorization) => ({ authorization })),
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'Identity' },
    { 'content-type': 'text/xml' },
    { expect: '100-continue' },
    { 'x-request-id': 'x y' },
    { traceparent: 'x' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { 'x-http-method-override': 'DELETE' },
    { accept: 'text/html' },
    { origin: 'http://evil.example' },
  ]
  let number = 500
  for (const headers of all)
    for (const internal of [false, true]) {
      const at = internal ? '/api' : ''
      await both({ method: 'GET', path: `${at}/book/all?limit=1`, headers, internal })
      await both({ method: 'POST', path: `${at}/book`, body: bookWith(number++), headers, internal })
      await both({ method: 'GET', path: `${at}/book/{b1}`, headers, internal })
      await both({ method: 'PUT', path: `${at}/book/{b2}`, body: bookWith(2), headers, internal })
      await both({ method: 'DELETE', path: `${at}/book/{b2}/copy/{b2}`, headers, internal })
      await both({ method: 'GET', path: `${at}/nope`, headers, internal })
      await to('loan', { method: 'GET', path: `${at}/loan/webhook/x`, headers, internal })
      await to('loan', { method: 'GET', path: `${at}/loan/{l2}`, headers, internal })
      await to('reader', { method: 'GET', path: `${at}/reader`, headers, internal })
    }
})

test('methods and paths', async () => {
  for (const method of METHODS)
    for (const path of PATHS)
      for (const internal of [false, true]) {
        const body = method === 'POST' || method === 'PUT' ? '{}' : undefined
        await both({ method, path: internal ? `/api${path}` : path, body, internal })
      }
  for (const path of ['/health/live', '/health/ready', '/health', '/nope', '/api', '/metrics'])
    for (const method of METHODS) await both({ method, path, internal: true })
  for (const method of METHODS) {
    for (const path of ['/loan', '/loan/{l2}', '/loan/all', '/loan/webhook', '/loan/webhook/x', '/loan/x'])
      await to('loan', { method, path, body: method === 'DELETE' ? undefined : '{"x":1}' })
    for (const path of [
      '/reader',
      '/reader/x',
      `/reader/${ID}`,
      '/reader/all',
      '/auth',
      '/auth/login',
      '/auth/x',
    ])
      await to(path.startsWith('/auth') ? 'auth' : 'reader', { method, path, body: '{}' })
  }
})

test('queries', async () => {
  for (const query of QUERIES)
    for (const method of ['GET', 'HEAD']) await both({ method, path: `/book/all?${query}` })
  for (const query of LOAN_QUERIES)
    for (const authorization of [clerk, reader, other])
      await to('loan', { method: 'GET', path: `/loan/all?${query}`, headers: { authorization } })
})

test('entries of structs, and writes without access', async () => {
  const headers = { authorization: reader }
  await services.create('book', 'c1', '/book/{b3}/copy', '{"number":1}', librarian)
  await services.create('book', 'c2', '/book/{b3}/copy', '{"number":2,"replaces":"{c1}"}', librarian)
  for (const query of ['limit=1', 'x=1', 'limit=x', 'after={c1}'])
    await both({ method: 'GET', path: `/book/{b3}/copy/all?${query}` })
  for (const path of ['/book/{b3}/copy/{c1}', '/book/{b4}/copy/{c1}'])
    for (const method of ['DELETE', 'GET', 'PUT']) await both({ method, path, body: '{"number":2}' })
  for (const path of ['/book/{b3}', '/book/{b3}/copy/{c2}'])
    for (const method of ['PUT', 'DELETE'])
      await both({ method, path, body: bookWith(3, { number: 7 }), headers })
  for (const path of ['/book/{b3}', '/book/{b3}/copy/all'])
    for (const method of ['DELETE', 'GET', 'DELETE']) await both({ method, path })
})

test('references and roles', async () => {
  const users = [clerk, reader, other, librarian, '']
  const unknown = [ID, '{l1}', 'x', '', null, 1]
  for (const authorization of users) {
    const headers = { authorization }
    for (const method of ['POST', 'PUT']) {
      const path = method === 'POST' ? '/loan' : '/loan/{l3}'
      for (const key of ['book', 'reader'])
        for (const value of unknown)
          await to('loan', { method, path, headers, body: loanWith(1, { [key]: value }) })
      await to('loan', { method, path, headers, body: loanWith(1, { book: ID, reader: ID }) })
      await to('loan', { method, path, headers, body: loanWith(1) })
    }
    for (const [method, path] of [
      ['GET', '/loan/{l4}'],
      ['GET', '/loan/all'],
      ['DELETE', `/loan/${ID}`],
      ['DELETE', '/loan/{l4}'],
    ] as const)
      await to('loan', { method, path, headers })
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      for (const path of ['/reader', '/reader/{r1}', `/reader/${OTHER_USER}`])
        await to('reader', { method, path, headers, body: method === 'GET' ? undefined : '{"name":"Bob"}' })
    for (const ids of ['[]', '["{b1}"]', `["${ID}","x"]`, '[1]', 'null', '"x"', '{}'])
      await both({ method: 'POST', path: '/references', body: `{"ids":${ids}}`, headers, internal: true })
  }
})

test('registering and logging in', async () => {
  for (const body of CREDENTIALS)
    for (const path of ['/auth/register', '/auth/login'])
      await to('auth', { method: 'POST', path, body, headers: { authorization: '' } })
})

test('the protocol', async () => {
  for (const raw of RAW)
    await services.both('book', { method: '', path: '', raw: raw.replaceAll('TOKEN', librarian) })
})

test.each(Object.entries(DIFFERENT))('docs/go.md says what differs: %s', async (text, requests) => {
  expect(readFileSync('docs/go.md', 'utf8')).toContain(text)
  for (const sent of requests) {
    const raw = sent.raw?.replaceAll('TOKEN', librarian)
    const headers = { authorization: librarian }
    await services.differ('book', { ...sent, headers, ...(raw !== undefined && { raw }) })
  }
})

test('are many', () => {
  expect(services.count()).toBeGreaterThan(2900)
})
