import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readConfig } from '#lib/config.ts'
import { connect } from '#lib/database.ts'
import { createLog } from '#lib/log.ts'
import { fake } from '#lib/testing-fakes.ts'
import { createTestDatabase } from '#lib/testing.ts'
import { createApp } from '../src/app.ts'
import { Config } from '../src/config.ts'
import { createPasswords } from '../src/passwords.ts'
import * as schema from '../src/schema.ts'
import { Settings } from '../src/settings.ts'
import setup from '../src/setup.ts'

// This file is yours: Portico never overwrites it.

const testDatabase = await createTestDatabase('auth-db/migrations')
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('auth', 'warn')
const database = connect(config, schema, log)
const passwords = createPasswords(config)
// What the services that this one calls answer. All that is referred to exists.
const comm = {
  visitor: fake('Visitor', {
    id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
    name: 'Some name',
    badge: 'Some badge',
    nick: 'Some nick',
    tickets: 1,
  }),
}

const app = await createApp({
  config,
  settings: readConfig(Settings, process.env),
  log,
  database,
  passwords,
  comm,
  // Tokens of tests are the ids of their users.
  issueToken: async (id) => id,
  identify: async (id) => (id === undefined ? undefined : { id, token: id }),
  onStop: after,
  setup,
})

const send = (path: string, body: object) => app.request(path, { method: 'POST', body: JSON.stringify(body) })

after(async () => {
  await passwords.close()
  await database.close()
  await testDatabase.drop()
})

test('Users register and log in', async () => {
  const credentials = { email: 'ada@example.org', password: 'correct horse' }
  const registered = await send('/auth/register', credentials)
  assert.equal(registered.status, 201)
  const loggedIn = await send('/auth/login', { ...credentials, email: 'Ada@Example.org' })
  assert.deepEqual([loggedIn.status, await loggedIn.json()], [200, await registered.json()])

  const again = await send('/auth/register', credentials)
  assert.deepEqual([again.status, await again.json()], [409, { error: 'auth already exists' }])
  const wrong = await send('/auth/login', { ...credentials, password: 'wrong horse' })
  assert.deepEqual([wrong.status, await wrong.json()], [401, { error: 'Invalid email or password' }])
})
