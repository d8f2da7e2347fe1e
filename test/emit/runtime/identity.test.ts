import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SignJWT } from 'jose'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../../templates/typescript/lib/log.ts'
import { createIdentify, type Identify, watchCredentials } from '../../../templates/typescript/lib/tokens.ts'
import { temporaryDirectory, type TestCredentials, writeCredentials } from '../service-process.ts'

const ID = '3f2b8c1e-7d4a-11ef-9f3a-0242ac120002'
const log = createLog('test', 'silent')
let credentials: TestCredentials
let identify: Identify

beforeAll(async () => {
  credentials = await writeCredentials(await temporaryDirectory())
  identify = await createIdentify(credentials.file, log)
})
afterEach(() => {
  vi.useRealTimers()
})

type Json = Record<string, unknown>

function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** A token of any header and payload, signed as told. */
function token(
  payload: unknown,
  header: unknown = { alg: 'HS256' },
  secret = credentials.secret,
  hash = 'sha256',
) {
  const signed = `${segment(header)}.${segment(payload)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

function claims(changes: Json = {}): Json {
  const now = Math.floor(Date.now() / 1000)
  return { id: ID, iss: credentials.id, iat: now, exp: now + 3600, ...changes }
}

test('a valid token, whatever the case of the scheme and of the id', async () => {
  const valid = token(claims())
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect(await identify(`${scheme} ${valid}`)).toEqual({ id: ID, token: valid, roles: [] })
  const upper = token(claims({ id: ID.toUpperCase() }))
  expect(await identify(`Bearer ${upper}`)).toEqual({ id: ID, token: upper, roles: [] })
})

test('no token where one should be', async () => {
  const valid = token(claims())
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    valid,
    `Basic ${valid}`,
    `Bearer${valid}`,
    `Token ${valid}`,
  ]
  const malformed = [
    `Bearer ${valid}, Bearer ${valid}`,
    `Bearer ${valid} x`,
    `Bearer a.b`,
    'Bearer a.b.c',
    'Bearer ..',
  ]
  for (const header of [...headers, ...malformed]) expect.soft(await identify(header), header).toBeUndefined()
})

test.each<[string, () => string | Promise<string>]>([
  ['no algorithm', () => `${segment({ alg: 'none' })}.${segment(claims())}.`],
  ['no algorithm, signed nevertheless', () => token(claims(), { alg: 'none' })],
  ['none in other letters', () => token(claims(), { alg: 'nOnE' })],
  ['HS512', () => token(claims(), { alg: 'HS512' }, credentials.secret, 'sha512')],
  ['HS384', () => token(claims(), { alg: 'HS384' }, credentials.secret, 'sha384')],
  ['no header parameter alg', () => token(claims(), { typ: 'JWT' })],
  [
    'RS256',
    () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      return new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    },
  ],
  [
    'a key in the header',
    () => token(claims(), { alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }, Buffer.alloc(32)),
  ],
  ['another key', () => token(claims(), { alg: 'HS256' }, randomBytes(32))],
  ['an empty key', () => token(claims(), { alg: 'HS256' }, Buffer.alloc(0))],
  [
    'the key as text',
    () =>
      token(claims(), { alg: 'HS256' }, Buffer.from(Buffer.from(credentials.secret).toString('base64url'))),
  ],
  ['an extension that must be understood', () => token(claims(), { alg: 'HS256', crit: ['x'], x: 1 })],
  ['a payload that is not encoded', () => token(claims(), { alg: 'HS256', b64: false, crit: ['b64'] })],
  ['another issuer', () => token(claims({ iss: 'other' }))],
  ['no issuer', () => token(claims({ iss: undefined }))],
  ['the name of a prototype as issuer', () => token(claims({ iss: '__proto__' }))],
  ['an issuer that is not text', () => token(claims({ iss: [credentials.id] }))],
  ['expired', () => token(claims({ exp: Math.floor(Date.now() / 1000) - 1 }))],
  ['without expiry', () => token(claims({ exp: undefined }))],
  ['an expiry that is not a number', () => token(claims({ exp: '9999999999' }))],
  ['an expiry of null', () => token(claims({ exp: null }))],
  ['issued in the future', () => token(claims({ iat: Math.floor(Date.now() / 1000) + 60 }))],
  ['without time of issue', () => token(claims({ iat: undefined }))],
  ['not valid yet', () => token(claims({ nbf: Math.floor(Date.now() / 1000) + 60 }))],
  ['without id', () => token(claims({ id: undefined }))],
  ['an id that is not a UUID', () => token(claims({ id: 'admin' }))],
  ['an id followed by more text', () => token(claims({ id: `${ID}\n` }))],
  ['an id that is not text', () => token(claims({ id: 1 }))],
  ['a payload that is not an object', () => token('[]')],
  ['a payload that is not JSON', () => token('{')],
  [
    'a changed payload',
    () => {
      const [header, , signature] = token(claims()).split('.')
      return `${header}.${segment(claims({ id: ID.replace('3', '4') }))}.${signature}`
    },
  ],
  ['a cut signature', () => token(claims()).slice(0, -2)],
  ['an empty signature', () => token(claims()).replace(/[^.]*$/, '')],
])('forged: %s', async (_how, forge) => {
  const forged = await forge()
  expect(await identify(`Bearer ${forged}`)).toBeUndefined()
  // Also when it was seen before.
  expect(await identify(`Bearer ${forged}`)).toBeUndefined()
})

test('a token that was checked before still expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const short = token(claims({ exp: Math.floor(Date.now() / 1000) + 10 }))
  expect(await identify(`Bearer ${short}`)).toBeDefined()
  expect(await identify(`Bearer ${short}`)).toBeDefined()
  vi.setSystemTime(Date.now() + 11_000)
  expect(await identify(`Bearer ${short}`)).toBeUndefined()
  expect(await identify(`Bearer ${short}`)).toBeUndefined()
})

test('more tokens than are remembered', async () => {
  const first = token(claims())
  expect(await identify(`Bearer ${first}`)).toBeDefined()
  for (let count = 0; count < 10_050; count++) await identify(`Bearer ${token(claims({ n: count }))}`)
  expect(await identify(`Bearer ${first}`)).toBeDefined()
})

test('two credentials are valid at once, and the first one signs', async () => {
  const directory = await temporaryDirectory()
  const secrets = { old: randomBytes(32), new: randomBytes(32) }
  const file = path.join(directory, 'credentials')
  const entries = Object.entries(secrets).map(([id, secret]) => ({
    id,
    secret: secret.toString('base64url'),
  }))
  await writeFile(file, JSON.stringify({ consumer: 'auth-service', credentials: entries }))
  const both = await watchCredentials(file, log)
  expect(both().map(({ id }) => id)).toEqual(['old', 'new'])
  const verify = await createIdentify(file, log)
  for (const [iss, secret] of Object.entries(secrets))
    expect(await verify(`Bearer ${token(claims({ iss }), { alg: 'HS256' }, secret)}`)).toBeDefined()
  expect(
    await verify(`Bearer ${token(claims({ iss: 'old' }), { alg: 'HS256' }, secrets.new)}`),
  ).toBeUndefined()
})

test('a credential that another has replaced is refused from its end on, also for tokens seen before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const file = path.join(await temporaryDirectory(), 'credentials')
  const [old, current] = [randomBytes(32), randomBytes(32)]
  const expires = Math.floor(Date.now() / 1000) + 100
  const entries = [
    { id: 'current', secret: current.toString('base64url') },
    { id: 'old', secret: old.toString('base64url'), expires },
  ]
  await writeFile(file, JSON.stringify({ consumer: 'auth-service', credentials: entries }))
  const verify = await createIdentify(file, log)
  const signed = (iss: string, secret: Uint8Array, n: number) =>
    `Bearer ${token(claims({ iss, n }), { alg: 'HS256' }, secret)}`
  const seen = signed('old', old, 1)
  const unseen = signed('old', old, 2)
  vi.setSystemTime((expires - 1) * 1000)
  expect(await verify(seen)).toBeDefined()
  vi.setSystemTime(expires * 1000)
  expect(await verify(seen)).toBeUndefined()
  expect(await verify(unseen)).toBeUndefined()
  expect(await verify(signed('current', current, 3))).toBeDefined()
})

test.each([
  ['nothing', ''],
  ['no JSON', '{"credentials":[{"id":"a","secret":"c2VjcmV0"'],
  ['no list', '{"credentials":{}}'],
  ['an empty list', '{"credentials":[]}'],
  ['a short secret', '{"credentials":[{"id":"a","secret":"c2VjcmV0"}]}'],
  ['no id', `{"credentials":[{"secret":"${'A'.repeat(43)}"}]}`],
  [
    'an end that is not a number',
    `{"credentials":[{"id":"a","secret":"${'A'.repeat(43)}","expires":"2026-01-01"}]}`,
  ],
  ['null', 'null'],
])('a credentials file with %s is refused without being shown', async (_what, text) => {
  const file = path.join(await temporaryDirectory(), 'credentials')
  await writeFile(file, text)
  await expect(createIdentify(file, log)).rejects.toThrow(
    `${file} does not contain valid gateway credentials`,
  )
})

test('it waits for the credentials', async () => {
  const directory = await temporaryDirectory()
  const later = createIdentify(path.join(directory, 'gateway-credentials.json'), log)
  const { id, secret } = await writeCredentials(directory)
  const verify = await later
  expect(await verify(`Bearer ${token(claims({ iss: id }), { alg: 'HS256' }, secret)}`)).toBeDefined()
})

test('it fails after 2 seconds without the file, and names it', async () => {
  const file = path.join(await temporaryDirectory(), 'gateway-credentials.json')
  await expect(createIdentify(file, log)).rejects.toThrow(
    `${file}, which has the credentials of the gateway, does not exist`,
  )
})

test('changed credentials are read again, and malformed ones ignored', async () => {
  const directory = await temporaryDirectory()
  const { file } = await writeCredentials(directory)
  const verify = await createIdentify(file, log)
  const { id, secret } = await writeCredentials(directory)
  const changed = `Bearer ${token(claims({ iss: id }), { alg: 'HS256' }, secret)}`
  expect(await verify(changed)).toBeUndefined()
  await expect.poll(() => verify(changed), { timeout: 10_000 }).toBeDefined()
  await writeFile(file, '{')
  await new Promise((resolve) => {
    setTimeout(resolve, 2500)
  })
  expect(await verify(changed)).toBeDefined()
})
