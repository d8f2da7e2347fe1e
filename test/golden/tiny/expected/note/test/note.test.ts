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

const testDatabase = await createTestDatabase('note-db/migrations')
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('note', 'warn')
const database = connect(config, schema, log)
const app = await createApp({
  config,
  settings: readConfig(Settings, process.env),
  log,
  database,
  onStop: after,
  setup,
})

after(async () => {
  await database.close()
  await testDatabase.drop()
})

test('Unknown entities are not found', async () => {
  const response = await app.request(`/note/${randomUUID()}`)
  assert.equal(response.status, 404)
})

test('A Note is created', async () => {
  const body = JSON.stringify({ text: 'Some text' })
  const response = await app.request('/note', { method: 'POST', body })
  assert.equal(response.status, 201)
})
