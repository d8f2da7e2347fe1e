import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  writeCredentials,
} from '../service-process.ts'
import { inLanguage, setupPath, setupText } from '../platform.ts'
import { authFiles } from './fixture.ts'

const SETUP = setupText(
  `import { HookError, type Env, type Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeRegister((_env, request, input, caller) => {
    if (request.email.endsWith('@refused.org')) return new HookError(422, 'Not from there')
    if (request.email.startsWith('broken')) throw new Error('broken by ' + request.password)
    if (caller !== undefined) throw new Error('nobody is logged in yet')
    input.email = input.email.replace('+tag', '').replace('umlaut', 'Ärger')
  })
  env.hooks.beforeRegister(async (_env, request, input) => {
    await Promise.resolve()
    if (request.email.startsWith('pepper')) input.password += ' pepper'
  })
  env.hooks.afterRegister((_env, auth, caller) => {
    env.log.info({ id: auth.id, same: caller.id === auth.id && caller.token === auth.AccessToken }, 'registered')
    if (auth.email.startsWith('late')) throw new HookError(418, 'Too late')
  })
  env.hooks.beforeLogin((_env, request, input) => {
    if (request.email.startsWith('alias')) input.email = 'real@example.org'
    input.email = input.email.replace('umlaut', 'Ärger')
  })
  env.hooks.afterLogin((_env, auth) => {
    if (auth.email.startsWith('masked')) auth.AccessToken = 'masked'
  })
  router.get('/auth/whoami', (c) => (c.var.caller ? c.json({ id: c.var.caller.id }) : c.var.fail(401, 'Who?')))
  router.put('/auth/password', async (c) => {
    const { password } = await c.req.json<{ password: string }>()
    const id = c.var.caller?.id ?? ''
    const changed = await env.datastore.updateAuth({ id, passwordHash: await env.passwords.hash(password) })
    return changed ? c.json({}) : c.var.fail(404, 'Nobody')
  })
  router.post('/auth/ticket', async (c) => {
    const account = await env.datastore.findAuth(await c.req.json<{ email: string }>())
    return account ? c.json({ AccessToken: await env.issueToken(account) }) : c.var.fail(404, 'Nobody')
  })
  router.delete('/auth/me', async (c) => c.json(await env.datastore.deleteAuth({ id: c.var.caller?.id ?? '' })))
  router.get('/auth/all', async (c) => c.json((await env.datastore.listAuth()).map(({ email }) => email)))
}
`,
  'auth-hooks.go',
)

let database: TestDatabase
let service: ServiceProcess

beforeAll(async () => {
  database = await freshDatabase()
  const { file } = await writeCredentials(await temporaryDirectory())
  const env = { DATABASE_URL: database.url, GATEWAY_CREDENTIALS_FILE: file }
  service = await startService(authFiles, 'auth', env, { [setupPath('auth')]: SETUP })
})
afterAll(async () => {
  await service.discard()
  await database.drop()
})

const PASSWORD = 'correct horse'

async function send(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<[number, unknown]> {
  const response = await fetch(`${service.url}/auth/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  return [response.status, await response.json()]
}

async function tokenOf(operation: string, email: string, password = PASSWORD): Promise<string> {
  const [status, answer] = await send('POST', operation, { email, password })
  expect(status, email).toBe(operation === 'register' ? 201 : 200)
  return (answer as { AccessToken: string }).AccessToken
}

test('a before-hook refuses, and nothing is stored', async () => {
  const refused = { email: 'a@refused.org', password: PASSWORD }
  expect(await send('POST', 'register', refused)).toEqual([422, { error: 'Not from there' }])
  expect(await send('POST', 'login', refused)).toEqual([401, { error: 'Invalid email or password' }])
})

test('a before-hook changes what is stored, and what is looked up', async () => {
  await tokenOf('register', 'ada+tag@example.org')
  await tokenOf('login', 'ada@example.org')
  await tokenOf('register', 'pepper@example.org')
  await tokenOf('login', 'pepper@example.org', `${PASSWORD} pepper`)
  await tokenOf('register', 'umlaut@example.org')
  await tokenOf('login', 'umlaut@EXAMPLE.org')
  const real = await tokenOf('register', 'real@example.org')
  expect(decodeJwt(await tokenOf('login', 'alias@example.org'))['id']).toBe(decodeJwt(real)['id'])
})

test('any other exception of a hook is a 500 without its message, which the log has', async () => {
  const body = { email: 'broken@example.org', password: PASSWORD }
  expect(await send('POST', 'register', body)).toEqual([500, { error: 'Internal server error' }])
  await expect
    .poll(() => service.log().find(({ level }) => level === 'error'))
    .toMatchObject({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      err: inLanguage<object>({
        typescript: { type: 'Error', stack: expect.stringContaining('setup.ts') },
        go: { type: 'Error', message: 'broken by a hook' },
      }),
    })
})

test('an after-hook changes only the response, and what it refuses is not stored', async () => {
  await tokenOf('register', 'masked@example.org')
  expect(await tokenOf('login', 'masked@example.org')).toBe('masked')
  const late = { email: 'late@example.org', password: PASSWORD }
  expect(await send('POST', 'register', late)).toEqual([418, { error: 'Too late' }])
  expect(await send('POST', 'login', late)).toEqual([401, { error: 'Invalid email or password' }])
  const lines = () => service.log().filter(({ message }) => message === 'registered')
  await expect.poll(() => lines().length).toBeGreaterThan(3)
  const registered = lines()
  expect(registered.every(({ same }) => same === true)).toBe(true)
})

test('routes of the user: the caller, the data access, passwords, tokens, and methods that they have not', async () => {
  const token = await tokenOf('register', 'route@example.org')
  expect(await send('GET', 'whoami', undefined, token)).toEqual([200, { id: decodeJwt(token)['id'] }])
  expect(await send('GET', 'whoami', undefined, `${token}x`)).toEqual([401, { error: 'Who?' }])
  expect(await send('PUT', 'password', { password: 'another horse' }, token)).toEqual([200, {}])
  await tokenOf('login', 'route@example.org', 'another horse')
  expect((await send('GET', 'all'))[1]).toContain('route@example.org')
  const [status, issued] = await send('POST', 'ticket', { email: 'route@example.org' })
  expect(status).toBe(200)
  const { AccessToken } = issued as { AccessToken: string }
  expect(await send('GET', 'whoami', undefined, AccessToken)).toEqual([200, { id: decodeJwt(token)['id'] }])
  expect(await send('DELETE', 'me', undefined, token)).toEqual([200, true])
  expect(await send('DELETE', 'me', undefined, token)).toEqual([200, false])
  expect(await send('PUT', 'password', { password: 'third horse' }, token)).toEqual([
    404,
    { error: 'Nobody' },
  ])
  const wrong = await fetch(`${service.url}/auth/whoami`, { method: 'POST' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('a full queue is 503 with Retry-After, for unknown emails too', async () => {
  const { file } = await writeCredentials(await temporaryDirectory())
  const env = {
    DATABASE_URL: database.url,
    GATEWAY_CREDENTIALS_FILE: file,
    PASSWORD_THREADS: '1',
    PASSWORD_QUEUE: '2',
  }
  const small = await startService(authFiles, 'auth', env)
  const body = JSON.stringify({ email: 'nobody-has@example.org', password: PASSWORD })
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await fetch(`${small.url}/auth/login`, { method: 'POST', body })
      return `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`
    }),
  )
  expect(new Set(answers)).toEqual(
    new Set(['401 null {"error":"Invalid email or password"}', '503 1 {"error":"Auth is unavailable"}']),
  )
  await small.discard()
})
