import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { readConfig } from '#lib/config.ts'
import { connect } from '#lib/database.ts'
import { createLog } from '#lib/log.ts'
import { createCaller, identify } from '#lib/testing-callers.ts'
import { fake } from '#lib/testing-fakes.ts'
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
// Has all roles.
const user = createCaller('guide', 'organizer')
// What the services that this one calls answer. All that is referred to exists.
const comm = {
  hall: {
    ...fake('Hall', {
      id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      title: 'Some title',
      open: true,
      level: 1,
      visits: 1,
      temperature: 1.5,
      share: 1,
      built: '2030-01-31',
      closes: '12:30:00',
      inspected: '2030-02-01T12:30:00Z',
      plan: 'SGVsbG8=',
      fee: '12.50',
      earned: '12.5000',
      state: 'open',
      badgeSize: '2xl',
      phone: 'Some phone',
      seats: 1,
      country: 'So',
      added: '2030-02-02T12:30:00Z',
    }),
    price: async () => ({ day: '2030-01-31', total: '12.50', plan: 'SGVsbG8=' }) as const,
    search: async () => [],
    booth: fake('Booth', {
      id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      number: 1,
      state: 'free',
      createdAt: '2030-01-31T12:30:00Z',
      updatedAt: '2030-02-01T12:30:00Z',
    }),
    aisle: fake('Aisle', {
      id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      from: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      to: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      metres: 1.5,
      checked: '2030-01-31T12:30:00Z',
    }),
  },
  booking: {
    ...fake('Booking', {
      id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      hall: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      guest: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      follows: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      instead: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
      made: '2030-01-31',
      day: '2030-02-01',
      createdAt: '2030-02-02T12:30:00Z',
      updatedAt: '2030-02-03T12:30:00Z',
    }),
    move: async () =>
      ({
        id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
        hall: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
        guest: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
        follows: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
        instead: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f',
        made: '2030-01-31',
        day: '2030-02-01',
        createdAt: '2030-02-02T12:30:00Z',
        updatedAt: '2030-02-03T12:30:00Z',
      }) as const,
    cancel: async () => ({}) as const,
  },
  auth: fake('Auth', { id: '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f', email: 'ada@example.org', roles: [] }),
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
  comm,
  identify,
  onStop: after,
  setup,
})

after(async () => {
  await database.close()
  await testDatabase.drop()
})

test('Unknown entities are not found', async () => {
  const response = await app.request(`/statistic/${randomUUID()}`, { headers: user.headers })
  assert.equal(response.status, 404)
})

test('Requests without a token are rejected', async () => {
  const response = await app.request('/statistic')
  assert.equal(response.status, 401)
})
