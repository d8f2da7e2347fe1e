import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  type TestCredentials,
  writeCredentials,
} from '../service-process.ts'
import { platformOf } from '../platform.ts'
import { filesFor } from './fixture.ts'

const files = filesFor(
  platformOf(`Shop: project { #authMethod(email); #roles[admin, clerk]; }
Member: service { name: string; #auth; }
Order: service { total: int; #uses[Auth]; }
Invoice: service { #uses[Auth]; }
Stock: service {}
`),
)

const keys = { order: [randomBytes(32)], invoice: [randomBytes(32)], stock: [randomBytes(32)] }
let directory: string
let database: TestDatabase
let credentials: TestCredentials
let service: ServiceProcess
const accounts: { id: string; token: string }[] = []

beforeAll(async () => {
  directory = await temporaryDirectory()
  database = await freshDatabase()
  credentials = await writeCredentials(directory)
  for (const caller of ['order', 'invoice', 'stock'] as const) await writeKeys(caller)
  service = await startService(files, 'auth', {
    DATABASE_URL: database.url,
    GATEWAY_CREDENTIALS_FILE: credentials.file,
    SERVICE_KEYS_DIRECTORY: directory,
  })
  for (const email of ['Ada@example.org', 'bob@example.org']) {
    const body = JSON.stringify({ email, password: 'correct horse' })
    const response = await fetch(`${service.url}/auth/register`, { method: 'POST', body })
    const { AccessToken: token } = (await response.json()) as { AccessToken: string }
    const [, claims = ''] = token.split('.')
    const { id } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { id: string }
    accounts.push({ id, token })
  }
  await database.sql`UPDATE auth SET roles = '{clerk}' WHERE email LIKE 'bob%'`
})
afterAll(async () => {
  await service.discard()
  await database.drop()
})

async function writeKeys(caller: keyof typeof keys): Promise<void> {
  const lines = keys[caller].map((key) => `${key.toString('base64url')}\n`)
  await writeFile(path.join(directory, `${caller}.auth.key`), lines.join(''))
}

interface Claims {
  readonly caller?: string
  readonly callee?: string
  readonly key?: Uint8Array
  readonly type?: string
  readonly issuedAt?: number
  readonly expires?: number | undefined
  readonly more?: Record<string, unknown>
}

const now = () => Math.floor(Date.now() / 1000)

async function signed(claims: Claims = {}): Promise<string> {
  const { caller = 'order', callee = 'auth', key = keys.order[0], type = 'service+jwt', more = {} } = claims
  const issued = claims.issuedAt ?? now()
  const token = new SignJWT(more)
    .setProtectedHeader({ alg: 'HS256', typ: type })
    .setIssuer(caller)
    .setAudience(callee)
    .setIssuedAt(issued)
  if (!('expires' in claims)) token.setExpirationTime(issued + 60)
  else if (claims.expires !== undefined) token.setExpirationTime(claims.expires)
  return token.sign(key ?? new Uint8Array(32))
}

async function read(ids: unknown, token?: string, at = service.internalUrl): Promise<[number, unknown]> {
  const response = await fetch(`${at}/read-many`, {
    method: 'POST',
    body: JSON.stringify({ ids }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  return [response.status, await response.json()]
}

const ids = () => accounts.map(({ id }) => id)

test('A service with `#uses[Auth]` reads the emails and roles of accounts, and nothing else of them', async () => {
  const [status, body] = await read([...ids(), SOME], await signed())
  const { entities } = body as { entities: { email: string }[] }
  expect(status).toBe(200)
  expect(entities.toSorted((a, b) => (a.email < b.email ? -1 : 1))).toEqual([
    { id: accounts[0]?.id, email: 'Ada@example.org', roles: [] },
    { id: accounts[1]?.id, email: 'bob@example.org', roles: ['clerk'] },
  ])
  const invoice = { caller: 'invoice', key: keys.invoice[0] ?? new Uint8Array() }
  expect((await read(ids(), await signed(invoice)))[0]).toBe(200)
  expect(await read([], await signed())).toEqual([200, { entities: [] }])
})

const REFUSED: Readonly<Record<string, () => Claims>> = {
  'of a service without the use, even with a key': () => ({ caller: 'stock', ...keyOf('stock') }),
  'with the key of another service': () => keyOf('invoice'),
  'with another name': () => ({ caller: 'invoice' }),
  'with a path for a name': () => ({ caller: '../order' }),
  'for another service': () => ({ callee: 'stock' }),
  'of another type': () => ({ type: 'JWT' }),
  'that is over': () => ({ issuedAt: now() - 300, expires: now() - 240 }),
  'that is too old': () => ({ issuedAt: now() - 300, expires: now() + 60 }),
  'of the future': () => ({ issuedAt: now() + 300 }),
  'that does not end': () => ({ expires: undefined }),
  'with the credential of the gateway': () => ({ key: credentials.secret }),
}

function keyOf(caller: keyof typeof keys): Claims {
  return { key: keys[caller][0] ?? new Uint8Array() }
}

test.each(Object.entries(REFUSED))('A token %s is refused', async (_, claims) => {
  expect(await read(ids(), await signed(claims()))).toEqual([401, { error: 'Unauthorized' }])
})

test('Users, nobody, and what is no token are refused', async () => {
  const unsigned = `${Buffer.from('{"alg":"none","typ":"service+jwt"}').toString('base64url')}.${(await signed()).split('.')[1]}.`
  for (const token of [undefined, accounts[0]?.token, 'order', 'a.b.c', unsigned])
    expect(await read(ids(), token)).toEqual([401, { error: 'Unauthorized' }])
})

test('The port of the gateway does not have it, not even with the right token', async () => {
  for (const at of [service.url, `${service.internalUrl}/api`])
    expect((await read(ids(), await signed(), at))[0]).toBe(404)
  const response = await fetch(`${service.url}/auth/read-many`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await signed()}` },
  })
  expect(response.status).toBe(404)
})

test('A token of a service is no user’s', async () => {
  const token = await signed({ more: { id: accounts[0]?.id } })
  const response = await fetch(`${service.url}/auth/whoever`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(404)
  expect(service.output.text).not.toMatch(/"path":"\/auth\/whoever".*"user":/)
})

const SOME = '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f'

test.each([
  ['no UUIDs', ['x'], 400],
  ['the byte 0', ['\u0000'], 400],
  ['no list', SOME, 400],
  ['missing', undefined, 400],
  ['null', [null], 400],
  ['101', Array<string>(101).fill(SOME), 400],
  ['100', Array<string>(100).fill(SOME), 200],
])('Ids that are %s', async (_, given, status) => {
  expect((await read(given, await signed()))[0]).toBe(status)
})

test('A key is rotated without a restart: all verify, and those that are gone do not', async () => {
  const [old = Buffer.alloc(0)] = keys.order
  const next = randomBytes(32)
  const statusWith = async (key: Uint8Array) => (await read(ids(), await signed({ key })))[0]
  keys.order = [old, next]
  await writeKeys('order')
  expect([await statusWith(old), await statusWith(next)]).toEqual([200, 200])
  keys.order = [next]
  await writeKeys('order')
  expect([await statusWith(old), await statusWith(next)]).toEqual([401, 200])
})

test('A file without valid keys admits nobody, and its content is not logged', async () => {
  for (const content of ['', 'secret-of-7-bytes\n']) {
    await writeFile(path.join(directory, 'order.auth.key'), content)
    expect(await read(ids(), await signed())).toEqual([500, { error: 'Internal server error' }])
  }
  expect(service.output.text).not.toContain('secret-of-7-bytes')
  await writeKeys('order')
  expect((await read(ids(), await signed()))[0]).toBe(200)
})
