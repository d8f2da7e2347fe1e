import { hashSync } from 'bcryptjs'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { schemaHash } from '../../../src/emit/database/hash.ts'
import { SERVICE_TEXTS } from '../../../src/model/error-texts.ts'
import { SCHEMA_HASH } from '../../../templates/typescript/auth/src/schema.ts'
import { authFiles, authTables } from './fixture.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  type TestCredentials,
  writeCredentials,
} from '../service-process.ts'

let database: TestDatabase
let credentials: TestCredentials
let service: ServiceProcess

beforeAll(async () => {
  database = await freshDatabase()
  credentials = await writeCredentials(await temporaryDirectory())
  service = await startService(authFiles, 'auth', {
    DATABASE_URL: database.url,
    GATEWAY_CREDENTIALS_FILE: credentials.file,
  })
})
afterAll(async () => {
  await service.discard()
  await database.drop()
})

function post(operation: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${service.url}/auth/${operation}`, { method: 'POST', body: text })
}

async function answerOf(response: Response): Promise<[number, unknown]> {
  return [response.status, await response.json()]
}

const PASSWORD = 'correct horse'

test('registering and logging in give a token for the record', async () => {
  const registered = await post('register', { email: 'Ada@Example.org', password: PASSWORD })
  expect(registered.status).toBe(201)
  expect(registered.headers.get('cache-control')).toBe('no-store')
  const { AccessToken: token, ...rest } = (await registered.json()) as { AccessToken: string }
  expect(rest).toEqual({})
  const { payload } = await jwtVerify(token, credentials.secret, {
    algorithms: ['HS256'],
    issuer: credentials.id,
  })
  expect(Object.keys(payload).sort()).toEqual(['exp', 'iat', 'id', 'iss'])
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(24 * 60 * 60)
  expect(payload['id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(decodeProtectedHeader(token).alg).toBe('HS256')

  const [record] = await database.sql`SELECT * FROM auth`
  expect(record).toMatchObject({ id: payload['id'], email: 'Ada@Example.org' })
  expect(record?.['password_hash']).toMatch(/^\$2[aby]\$10\$/)
  // A random node has the multicast bit, which no network card has (RFC 9562, section 6.10).
  expect(Number.parseInt(String(payload['id']).slice(24, 26), 16) & 1).toBe(1)

  const loggedIn = await post('login', { email: 'ADA@example.ORG', password: PASSWORD })
  expect(loggedIn.status).toBe(200)
  const again = (await loggedIn.json()) as { AccessToken: string }
  expect(decodeJwt(again.AccessToken)['id']).toBe(payload['id'])

  expect(await answerOf(await post('register', { email: 'ada@EXAMPLE.org', password: PASSWORD }))).toEqual([
    409,
    { error: SERVICE_TEXTS.userExists },
  ])
})

test('a password that another system composes differently is the same', async () => {
  const email = 'zoe@example.org'
  const decomposed = 'cafe\u0301 cre\u0300me'
  expect((await post('register', { email, password: decomposed })).status).toBe(201)
  for (const password of [decomposed, decomposed.normalize('NFC'), decomposed.replace(' ', '\u00a0')])
    expect((await post('login', { email, password })).status).toBe(200)
  // The account of a password from before they were normalized, which has fewer characters in this form.
  const old = '\u1112\u1161\u11ab\u1100\u1173\u11af\u1112\u1161'
  expect(await answerOf(await post('register', { email: 'old@example.org', password: old }))).toEqual([
    400,
    { error: 'Invalid request parameter password: must have at least 8 characters' },
  ])
  await database.sql`INSERT INTO auth VALUES (gen_random_uuid(), 'old@example.org', ${hashSync(old, 4)})`
  expect((await post('login', { email: 'old@example.org', password: old })).status).toBe(200)
})

test('an unknown email and a wrong password are answered alike', async () => {
  await post('register', { email: 'bob@example.org', password: PASSWORD })
  const wrong = await post('login', { email: 'bob@example.org', password: 'wrong horse' })
  const unknown = await post('login', { email: 'nobody@example.org', password: PASSWORD })
  expect(wrong.headers.get('www-authenticate')).toBe('Bearer')
  expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
  const expected = [401, { error: SERVICE_TEXTS.invalidCredentials }]
  expect(await answerOf(wrong)).toEqual(expected)
  expect(await answerOf(unknown)).toEqual(expected)
})

test.each(['register', 'login'])('%s: what a body must hold', async (operation) => {
  const good = { email: 'carol@example.org', password: PASSWORD }
  const rejected = async (body: unknown) => {
    const [status, answer] = await answerOf(await post(operation, body))
    expect.soft(status, JSON.stringify(body).slice(0, 100)).toBe(400)
    return (answer as { error: string }).error
  }
  expect(await rejected({})).toBe('Missing request parameter(s): email, password')
  expect(await rejected({ email: null, password: 'x' })).toBe('Missing request parameter(s): email')
  for (const body of ['[]', '{"email":', 'null', '"x"', '{"a":"\\ud800"} x'])
    expect(await rejected(body)).toMatch(/^Invalid request body: /)
  const local = (length: number) => `${'x'.repeat(length)}@example.org`
  for (const email of [
    'a',
    'a@',
    '@b',
    'a b@c.d',
    ' a@b.c',
    'a@b.c ',
    'ä@b.c',
    'a@-b.c',
    'a@b..c',
    1,
    true,
    local(243),
  ])
    expect(await rejected({ ...good, email })).toMatch(/^Invalid request parameter email: /)
  for (const password of [
    '1234567',
    '😀😀😀😀😀😀😀',
    'x'.repeat(73),
    '€'.repeat(25),
    'nul\0nul\0nul',
    '\ud800aaaaaaa',
    8,
  ])
    expect(await rejected({ ...good, password })).toMatch(/^Invalid request parameter password: /)
})

test('what lies exactly at the bounds is taken', async () => {
  for (const [email, password] of [
    [`${'x'.repeat(242)}@example.org`, '12345678'],
    ["!#$%&'*+/=?^_`{|}~-.@x", '😀😀😀😀😀😀😀😀'],
    ['short@b', '€'.repeat(24)],
    ['long@b', 'x'.repeat(72)],
  ]) {
    expect.soft((await post('register', { email, password })).status, email).toBe(201)
    expect.soft((await post('login', { email, password })).status, email).toBe(200)
  }
})

test('12 parallel registrations of one email leave one', async () => {
  const emails = Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0 ? 'race@example.org' : 'RACE@example.org',
  )
  const answers = await Promise.all(
    emails.map(async (email) => {
      for (;;) {
        const response = await post('register', { email, password: PASSWORD })
        if (response.status !== 503) return answerOf(response)
        expect(response.headers.get('retry-after')).toBe('1')
        await response.body?.cancel()
      }
    }),
  )
  const taken = answers.filter(([status]) => status === 409)
  expect(answers.filter(([status]) => status === 201)).toHaveLength(1)
  expect(taken).toHaveLength(11)
  expect(taken[0]).toEqual([409, { error: SERVICE_TEXTS.userExists }])
  expect(await database.sql`SELECT 1 FROM auth WHERE lower(email) = 'race@example.org'`).toHaveLength(1)
}, 120_000)

test('routes and methods that are not there', async () => {
  expect(await answerOf(await fetch(`${service.url}/auth/nothing`))).toEqual([404, { error: 'Not found' }])
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const response = await fetch(`${service.url}/auth/login`, { method })
    expect(response.headers.get('allow')).toBe('POST')
    expect(await answerOf(response)).toEqual([405, { error: 'Method not allowed' }])
  }
  expect(await answerOf(await post('register', `{"email":"${'x'.repeat(16_384)}"}`))).toEqual([
    413,
    { error: 'Request body too large' },
  ])
})

test('nothing of what clients sent is in the log', async () => {
  const secrets = [
    PASSWORD,
    'wrong horse',
    'example.org',
    'eyJ',
    Buffer.from(credentials.secret).toString('base64url'),
  ]
  for (const secret of secrets) expect(service.output.text).not.toContain(secret)
  const requests = () => service.log().filter(({ message }) => message === 'request')
  await expect.poll(() => requests().length).toBeGreaterThan(50)
})

test('the service waits for the schema that the migration makes', () => {
  expect(SCHEMA_HASH).toBe(schemaHash(authTables))
})
