import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { readConfig } from '#lib/config.ts'
import { connect } from '#lib/database.ts'
import { createLog } from '#lib/log.ts'
import { createCaller, identify } from '#lib/testing-callers.ts'
import { createTestDatabase } from '#lib/testing.ts'
import { createApp } from '../src/app.ts'
import { Config } from '../src/config.ts'
import * as schema from '../src/schema.ts'
import { Settings } from '../src/settings.ts'
import setup from '../src/setup.ts'

// This file is yours: Portico never overwrites it.

const testDatabase = await createTestDatabase('visitor-db/migrations')
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('visitor', 'warn')
const database = connect(config, schema, log)
// Has all roles.
const user = createCaller('guide', 'organizer')
const app = await createApp({
  config,
  settings: readConfig(Settings, process.env),
  log,
  database,
  identify,
  onStop: after,
  setup,
})

after(async () => {
  await database.close()
  await testDatabase.drop()
})

test('Unknown entities are not found', async () => {
  const response = await app.request(`/visitor/${randomUUID()}`, { headers: user.headers })
  assert.equal(response.status, 404)
})

test('Requests without a token are rejected', async () => {
  const response = await app.request('/visitor')
  assert.equal(response.status, 401)
})

test('A Visitor is created', async () => {
  const body = JSON.stringify({ name: 'Some name', badge: 'Some badge', nick: 'Some nick', pin: 'Some pin' })
  const response = await app.request('/visitor', { method: 'POST', body, headers: user.headers })
  assert.equal(response.status, 201)
})
