import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { readConfig } from '#lib/config.ts'
import { connect } from '#lib/database.ts'
import { unavailable } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'
import { createCaller, identify } from '#lib/testing-callers.ts'
import { fake } from '#lib/testing-fakes.ts'
import { createTestDatabase } from '#lib/testing.ts'
import { createApp } from '../src/app.ts'
import type { Comm } from '../src/comm.ts'
import { Config } from '../src/config.ts'
import * as schema from '../src/schema.ts'
import { Settings } from '../src/settings.ts'
import setup from '../src/setup.ts'

const testDatabase = await createTestDatabase('work-order-db/migrations')
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('work-order', 'warn')
const database = connect(config, schema, log)
const office = createCaller('office')
const technician = createCaller('technician')
const customer = { id: randomUUID(), archivedAt: null as string | null }
/** What the service Invoice got, or what it fails with. */
const billed: unknown[] = []
let failure: Error | undefined
const comm = {
  customer: fake('Customer', customer),
  employee: fake('Employee', { id: technician.id }),
  invoice: {
    ...fake('Invoice', { id: randomUUID() }),
    create: async (request: unknown) => {
      if (failure !== undefined) throw failure
      billed.push(request)
      return { id: randomUUID() }
    },
  },
} as object as Comm
const settings = readConfig(Settings, {})
const app = await createApp({ config, settings, log, database, comm, identify, onStop: after, setup })

after(async () => {
  await database.close()
  await testDatabase.drop()
})

const send = (method: string, path: string, body: unknown, { headers } = office) =>
  app.request(`/work-order${path}`, { method, headers, body: JSON.stringify(body) })

const read = async (response: Response) => (await response.json()) as Record<string, string>

const statusOf = async (id: string) =>
  (await read(await app.request(`/work-order/${id}`, { headers: office.headers })))['status']

async function createOrder(...statuses: readonly string[]): Promise<string> {
  const request = { customer: customer.id, title: 'Repair the boiler', technician: technician.id }
  const { id = '' } = await read(await send('POST', '', request))
  for (const status of statuses) assert.equal((await send('PATCH', `/${id}`, { status })).status, 200)
  return id
}

const addLine = (id: string, quantity: string, unitPrice: string) =>
  send('POST', `/${id}/line`, { text: 'Work', quantity, unitPrice }, technician)

test('technicians carry out what the office plans', async () => {
  const id = await createOrder('scheduled')
  assert.equal((await send('PATCH', `/${id}`, { title: 'Rest' }, technician)).status, 403)
  assert.equal(
    (await send('POST', `/${id}/progress`, { status: 'started' }, createCaller('technician'))).status,
    403,
  )
  assert.equal((await send('POST', `/${id}/progress`, { status: 'done' }, technician)).status, 409)
  assert.equal((await send('POST', `/${id}/progress`, { status: 'started' }, technician)).status, 200)
  assert.equal((await addLine(id, '1', '1')).status, 201)
  assert.equal((await send('POST', `/${id}/progress`, { status: 'done' }, technician)).status, 200)
  assert.equal((await addLine(id, '1', '1')).status, 409)
})

test('an archived customer gets no work', async () => {
  customer.archivedAt = '2030-07-01T00:00:00Z'
  const { status } = await send('POST', '', { customer: customer.id, title: 'Repair the fence' })
  customer.archivedAt = null
  assert.equal(status, 409)
})

test('of slots that overlap and come at the same time, one is stored, until the order is cancelled', async () => {
  const id = await createOrder()
  const add = (begins: string, ends: string) =>
    send('POST', `/${id}/slot`, {
      technician: technician.id,
      begins: `2030-07-01T${begins}:00Z`,
      ends: `2030-07-01T${ends}:00Z`,
    })
  const responses = await Promise.all([add('08:00', '10:00'), add('09:00', '11:00'), add('09:30', '09:45')])
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409, 409])
  assert.equal((await add('12:00', '11:00')).status, 400)
  assert.equal((await add('11:00', '12:00')).status, 201)
  await send('PATCH', `/${id}`, { status: 'cancelled' })
  const other = await createOrder()
  const slot = { technician: technician.id, begins: '2030-07-01T08:00:00Z', ends: '2030-07-01T12:00:00Z' }
  assert.equal((await send('POST', `/${other}/slot`, slot)).status, 201)
})

test('the total is exact, and billed once', async () => {
  const id = await createOrder('scheduled', 'started')
  await addLine(id, '1.35', '59.90')
  await addLine(id, '3', '0.10')
  await send('PATCH', `/${id}`, { status: 'done' })
  const total = await app.request(`/work-order/${id}/total`, { headers: technician.headers })
  assert.deepEqual(await total.json(), { total: '81.17' })
  const responses = await Promise.all([1, 2, 3].map(() => send('POST', `/${id}/bill`, {})))
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409])
  assert.equal(billed.length, 1)
  assert.equal(await statusOf(id), 'invoiced')
})

test('an order whose invoice could not be made is done again', async () => {
  const id = await createOrder('scheduled', 'started', 'done')
  failure = unavailable('Invoice')
  const { status } = await send('POST', `/${id}/bill`, {})
  failure = undefined
  assert.equal(status, 503)
  assert.equal(await statusOf(id), 'done')
  assert.equal((await send('POST', `/${id}/bill`, {})).status, 200)
})
