import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  writeCredentials,
} from '../service-process.ts'
import { platformOf } from '../platform.ts'
import { filesFor } from './fixture.ts'

const files = filesFor(
  platformOf(
    'Shop: project { #authMethod(email); #roles[agent, admin]; } Member: service { name: string; #auth; }',
  ),
)

const SETUP = `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeRegister((_env, request, input) => {
    if (request.email.startsWith('agent')) input.roles.push('agent')
  })
  env.hooks.afterLogin((_env, auth, caller) => {
    if (auth.email.startsWith('agent') && !caller.roles.includes('agent')) throw new Error('wrong roles')
  })
  router.put('/auth/roles', async (c) => {
    const { id, roles } = await c.req.json<{ id: string; roles: ('agent' | 'admin')[] }>()
    return c.json(await env.datastore.updateRoles(id, roles))
  })
  router.post('/auth/ticket', async (c) => {
    const account = await env.datastore.readAuth({ id: c.var.caller?.id ?? '' })
    return account ? c.text(await env.issueToken(account)) : c.var.fail(401, 'Unauthorized')
  })
  router.get('/auth/roles', (c) => c.json(c.var.caller?.roles ?? null))
}
`
const PASSWORD = 'correct horse'

let database: TestDatabase
let credentials: string
let service: ServiceProcess

const start = (roles: string) =>
  startService(
    files,
    'auth',
    { DATABASE_URL: database.url, GATEWAY_CREDENTIALS_FILE: credentials, AUTH_ROLES: roles },
    { 'auth/src/setup.ts': SETUP },
  )

beforeAll(async () => {
  database = await freshDatabase()
  credentials = (await writeCredentials(await temporaryDirectory())).file
  service = await start('')
})
afterAll(async () => {
  await service.discard()
  await database.drop()
})

async function tokenOf(operation: 'register' | 'login', email: string): Promise<string> {
  const body = JSON.stringify({ email, password: PASSWORD })
  const response = await fetch(`${service.url}/auth/${operation}`, { method: 'POST', body })
  return ((await response.json()) as { AccessToken: string }).AccessToken
}

const rolesOf = (token: string): unknown => decodeJwt(token)['roles']
const idOf = (token: string): string => String(decodeJwt(token)['id'])

async function changeRoles(id: string, roles: readonly string[]): Promise<unknown> {
  const body = JSON.stringify({ id, roles })
  return (await fetch(`${service.url}/auth/roles`, { method: 'PUT', body })).json()
}

test('tokens have no claim without roles', async () => {
  expect(rolesOf(await tokenOf('register', 'plain@example.org'))).toBeUndefined()
})

test('a hook gives roles, which every token carries', async () => {
  expect(rolesOf(await tokenOf('register', 'agent@example.org'))).toEqual(['agent'])
  const token = await tokenOf('login', 'agent@example.org')
  expect(rolesOf(token)).toEqual(['agent'])
  const response = await fetch(`${service.url}/auth/roles`, { headers: { authorization: `Bearer ${token}` } })
  expect(await response.json()).toEqual(['agent'])
})

test('changed roles are those of the next token', async () => {
  const id = idOf(await tokenOf('register', 'changing@example.org'))
  expect(await changeRoles(id, ['admin', 'agent', 'admin'])).toBe(true)
  expect(rolesOf(await tokenOf('login', 'changing@example.org'))).toEqual(['agent', 'admin'])
  expect(await changeRoles(id, [])).toBe(true)
  expect(rolesOf(await tokenOf('login', 'changing@example.org'))).toBeUndefined()
  expect(await changeRoles('019ab6f2-0000-7000-8000-000000000000', [])).toBe(false)
  expect(await changeRoles('nobody', [])).toBe(false)
})

test('AUTH_ROLES adds to the stored roles', async () => {
  const plain = idOf(await tokenOf('login', 'plain@example.org'))
  const agent = idOf(await tokenOf('login', 'agent@example.org'))
  await service.discard()
  service = await start(` admin=${agent}, ${plain.toUpperCase()} ; agent=${plain};`)
  expect(rolesOf(await tokenOf('login', 'plain@example.org'))).toEqual(['agent', 'admin'])
  const token = await tokenOf('login', 'agent@example.org')
  expect(rolesOf(token)).toEqual(['agent', 'admin'])
  const headers = { authorization: `Bearer ${token}` }
  const issued = await fetch(`${service.url}/auth/ticket`, { method: 'POST', headers })
  expect(rolesOf(await issued.text())).toEqual(['agent', 'admin'])
})

test.each([
  ['boss=019ab6f2-0000-7000-8000-000000000000', 'contains the unknown role boss: the roles are agent, admin'],
  ['admin=ada@example.org', 'contains the id "ada@example.org", which is not a UUID'],
  ['admin', 'contains the id "", which is not a UUID'],
  [
    'admin=019ab6f2-0000-7000-8000-000000000000=x',
    'contains the id "019ab6f2-0000-7000-8000-000000000000=x", which is not a UUID',
  ],
])('AUTH_ROLES=%s ends the start with a message', async (roles, message) => {
  const failed = await start(roles)
  expect(await failed.ended).not.toBe(0)
  expect(failed.output.text).toContain(`AUTH_ROLES ${message.replaceAll('"', '\\"')}`)
})
