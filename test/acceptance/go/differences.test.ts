import { request } from 'node:http'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../../emit/platform.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  type TestCredentials,
  writeCredentials,
} from '../../emit/service-process.ts'
import { readInput } from '../../goldens/cases.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../../postgres-proxy.ts'
import { BODIES, bookWith, METHODS, PATHS, QUERIES, type Sent, VALUES } from './requests.ts'

// The same requests to the service `book` of the golden project in Go, in both languages, and what it asks Postgres.

const LANGUAGES = ['go', 'typescript'] as const
const COMPARED = `content-type location allow link retry-after x-total-count www-authenticate cache-control
  accept-encoding`.split(/\s+/)
const USER = '01a21be5-d294-49ea-b18d-c003ae40d1c5'

const services: ServiceProcess[] = []
const databases: TestDatabase[] = []
const proxies: PostgresProxy[] = []
let credentials: TestCredentials
let librarian: string
let count = 0
/** By key, in the order of the languages. */
const ids = new Map<string, readonly string[]>()

beforeAll(async () => {
  credentials = await writeCredentials(await temporaryDirectory())
  librarian = await bearer({ id: USER, roles: ['librarian'] })
  for (const language of LANGUAGES) {
    const files = emitProject(platformOf(readInput('go').replace('#language(go)', `#language(${language})`)))
    const database = await freshDatabase()
    databases.push(database)
    const url = new URL(database.url)
    const proxy = await startPostgresProxy(new URL(url))
    proxies.push(proxy)
    url.port = String(proxy.port)
    url.search = 'sslmode=disable'
    const env = { DATABASE_URL: url.href, GATEWAY_CREDENTIALS_FILE: credentials.file }
    services.push(await startService(files, 'book', env))
  }
  for (let number = 1; number <= 5; number++) {
    const weight = [0.1, null, 7, 1e-7, 3.3][number - 1]
    await create(
      `b${number}`,
      '/book',
      bookWith(number, { weight, language: ['english', 'french', 'other'][number % 3] }),
    )
  }
}, 300_000)
afterAll(async () => {
  await Promise.all(services.map((service) => service.discard()))
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await Promise.all(databases.map((database) => database.drop()))
})

async function bearer(claims: Record<string, unknown>, secret = credentials.secret): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuer(credentials.id)
  return `Bearer ${await token.setIssuedAt().setExpirationTime('1h').sign(secret)}`
}

interface Answer {
  readonly body: string
  readonly link: string
  /** What both languages have in common. */
  readonly common: readonly unknown[]
}

function send(index: number, { method, path, body, headers, internal = false }: Sent): Promise<Answer> {
  const own = (text: string) =>
    text.replaceAll(/\{(b\d|c\d)\}/g, (_, key: string) => ids.get(key)?.[index] ?? key)
  const service = services[index]
  const url = new URL((internal ? service?.internalUrl : service?.url) ?? '')
  const content = typeof body === 'string' ? own(body) : body
  const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path: own(path),
        headers: { authorization: librarian, ...headers, ...length },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const fields = COMPARED.map((name) => normal(`${name}: ${String(response.headers[name])}`))
          resolve({
            body: text,
            link: String(response.headers.link ?? ''),
            common: [response.statusCode, normal(text), ...fields],
          })
        })
      },
    )
    sent.on('error', reject).end(content)
  })
}

/** Without what differs between two runs in the same language. */
function normal(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replaceAll(/"opensAt":"(?!08:)[^"]+"/g, '"opensAt":NOW')
    .replaceAll(/after=[\w-]{20,}/g, 'after=CURSOR')
}

async function both(sent: Sent): Promise<readonly Answer[]> {
  const answers = await Promise.all(LANGUAGES.map((_, index) => send(index, sent)))
  count++
  expect(answers[0]?.common, JSON.stringify(sent).slice(0, 300)).toEqual(answers[1]?.common)
  return answers
}

async function create(key: string, path: string, body: string): Promise<void> {
  const answers = await both({ method: 'POST', path, body })
  ids.set(
    key,
    answers.map((answer) => (JSON.parse(answer.body) as { id: string }).id),
  )
}

test('values', async () => {
  let number = 100
  for (const [key, values] of VALUES)
    for (const value of values) {
      const rest = bookWith(number++, { [key]: undefined }).slice(0, -1)
      const body = `${rest},${JSON.stringify(key)}:${value}}`
      await both({ method: 'POST', path: '/book', body })
      await both({ method: 'PUT', path: '/book/{b1}', body })
    }
})

test('bodies', async () => {
  for (const body of BODIES)
    for (const path of ['/book', '/book/{b1}/copy']) await both({ method: 'POST', path, body })
})

test('headers, on both ports', async () => {
  const reader = await bearer({ id: USER })
  const authorizations = [
    '',
    'x',
    reader.replace('Bearer', 'bearer'),
    reader.replace('Bearer', 'BEARER '),
    `${reader}x`,
    reader,
    librarian,
    await bearer({ id: 'x' }),
    await bearer({ id: USER }, Buffer.alloc(32, 1)),
    await bearer({ id: USER, roles: 'librarian' }),
  ]
  const all: Record<string, string>[] = [
    ...authorizations.map((authorization) => ({ authorization })),
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'Identity' },
    { 'content-type': 'text/xml' },
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
})

test('queries', async () => {
  for (const query of QUERIES)
    for (const method of ['GET', 'HEAD']) await both({ method, path: `/book/all?${query}` })
})

test('entries of structs, and writes without access', async () => {
  const headers = { authorization: await bearer({ id: USER }) }
  await create('c1', '/book/{b3}/copy', '{"number":1}')
  await create('c2', '/book/{b3}/copy', '{"number":2,"replaces":"{c1}"}')
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

test('long lists with filters and orders', async () => {
  const rows = `INSERT INTO book (id, _owner, title, isbn, language, price, pages, published, opens_at, added_at, hidden, weight)
    SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${USER}', 'L' || n % 7, 'long' || lpad(n::text, 8, '0'), 'english', 1, 1 + n % 300,
      '2020-02-29', '08:00', now(), false, nullif(n % 11, 3) FROM generate_series(1, 600) AS n`
  await Promise.all(databases.map(({ sql }) => sql.unsafe(`${rows}; ANALYZE book`)))
  for (const query of [
    'pages[gt]=299&limit=2',
    'pages[gte]=200&pages[lt]=202&limit=2&total=true',
    'pages[in]=299,300,17&limit=3',
    'weight=null&language=english&limit=3',
    'weight[lte]=0&limit=500',
    'language=english&pages[lte]=40&limit=30',
    'sort=title&limit=200',
    'sort=-title&limit=200&pages[gt]=20',
    'sort=weight&limit=170',
    'sort=-weight&limit=170&total=true',
  ]) {
    // Every page, each of which begins where the page before ends.
    for (let next = query; next !== ''; ) {
      const answers = await both({ method: 'GET', path: `/book/all?${next}` })
      const links = answers.map(({ link }) => /\?(.*)>/.exec(link)?.[1] ?? '')
      expect(links[0]).toBe(links[1])
      next = links[0] ?? ''
    }
  }
})

test('ask Postgres the same', () => {
  const [inGo, inTypeScript] = proxies.map(({ queries }) => {
    const texts = queries.map((query) =>
      query
        .toLowerCase()
        .replaceAll(/\s+/g, ' ')
        // Drizzle ends and names counts.
        .replace('(*) as count', '(*)')
        .replace(/;$/, '')
        .trim(),
    )
    return new Set(texts.filter((text) => /^(?:select|insert|update|delete) .*"book"|"copy"/.test(text)))
  })
  expect([...(inGo ?? [])].sort()).toEqual([...(inTypeScript ?? [])].sort())
  expect(inGo?.size).toBeGreaterThan(30)
})

test('are many', () => expect(count).toBeGreaterThan(1000))
