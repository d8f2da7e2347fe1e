import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { readConfig } from '#lib/config.ts'
import { connect } from '#lib/database.ts'
import { createLog } from '#lib/log.ts'
import { createTestDatabase } from '#lib/testing.ts'
import { createApp } from '../src/app.ts'
import { Config } from '../src/config.ts'
import * as schema from '../src/schema.ts'
import { Settings } from '../src/settings.ts'
import setup from '../src/setup.ts'

// This file is yours: Portico never overwrites it.

const testDatabase = await createTestDatabase('statistic-db/migrations')
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('statistic', 'warn')
const database = connect(config, schema, log)
const user = randomUUID()
const roles = ['guide', 'organizer']
const app = await createApp({
  config,
  settings: readConfig(Settings, process.env),
  log,
  database,
  // A test passes the id of the caller instead of a token, and has all roles.
  identify: async (id) => (id === undefined ? undefined : { id, roles, token: id }),
  onStop: after,
  setup,
})

after(async () => {
  await database.close()
  await testDatabase.drop()
})

test('Unknown entities are not found', async () => {
  const response = await app.request(`/statistic/${randomUUID()}`, { headers: { authorization: user } })
  assert.equal(response.status, 404)
})

test('Requests without a token are rejected', async () => {
  const response = await app.request('/statistic')
  assert.equal(response.status, 401)
})
