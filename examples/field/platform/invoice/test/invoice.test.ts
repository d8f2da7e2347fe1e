import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { readConfig } from '#lib/config.ts'
import { connect } from '#lib/database.ts'
import { createLog } from '#lib/log.ts'
import { runJobs } from '#lib/run-jobs.ts'
import { createCaller, identify } from '#lib/testing-callers.ts'
import { fake } from '#lib/testing-fakes.ts'
import { createTestDatabase } from '#lib/testing.ts'
import { createApp, createEnv } from '../src/app.ts'
import type { Comm } from '../src/comm.ts'
import { Config } from '../src/config.ts'
import { lineOf } from '../src/csv.ts'
import * as schema from '../src/schema.ts'
import { Settings } from '../src/settings.ts'
import setup from '../src/setup.ts'
import { isSigned } from '../src/signature.ts'

const SECRET = 'from-the-provider'
const CUSTOMER = randomUUID()
const DAY_MS = 86_400_000

const testDatabase = await createTestDatabase('invoice-db/migrations')
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('invoice', 'warn')
const database = connect(config, schema, log)
const office = createCaller('office')
const technician = createCaller('technician')
// Of the other services, these tests need a customer, and an order that is referred to.
const comm = {
  workOrder: fake('WorkOrder', { id: randomUUID() }),
  customer: fake('Customer', { id: CUSTOMER, name: '=1+1' }),
} as object as Comm
const settings = readConfig(Settings, { PAYMENT_SECRET: SECRET })
const dependencies = { config, settings, log, database, comm, identify, onStop: after, setup }
const env = createEnv(dependencies)
const app = await createApp(dependencies, env)

after(async () => {
  await database.close()
  await testDatabase.drop()
})

const send = (
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = office.headers,
) => app.request(path, { method, headers, body: JSON.stringify(body) })

const create = (workOrder = randomUUID(), dueOn = '2030-07-01') =>
  send('POST', '/invoice', { workOrder, customer: CUSTOMER, total: '81.17', dueOn })

const read = async (response: Response) => (await response.json()) as Record<string, string>

const stored = async (id: string) => read(await app.request(`/invoice/${id}`, { headers: office.headers }))

async function createSent(dueOn?: string): Promise<string> {
  const { id = '' } = await read(await create(randomUUID(), dueOn))
  await send('PATCH', `/invoice/${id}`, { status: 'sent' })
  return id
}

const pay = (invoice: string, amount = '81.17', secret = SECRET) => {
  const body = { invoice, event: 'paid', amount }
  const signature = createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')
  return send('POST', '/invoice/payment', body, { 'payment-signature': signature })
}

test('numbers have no gaps, also of requests at the same time and after one that failed', async () => {
  const order = randomUUID()
  const responses = await Promise.all([create(), create(order), create(), create(order), create()])
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 409])
  await create()
  const list = await app.request('/invoice/all', { headers: office.headers })
  const { InvoiceList } = (await list.json()) as { InvoiceList: { number: number }[] }
  const numbers = InvoiceList.map(({ number }) => number)
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5],
  )
})

test('a work order has another invoice only if the first is void', async () => {
  const order = randomUUID()
  const { id } = await read(await create(order))
  const second = await create(order)
  assert.equal(second.status, 409)
  assert.deepEqual(await read(second), { error: 'The work order has an invoice' })
  await send('PATCH', `/invoice/${id}`, { status: 'void' })
  assert.equal((await create(order)).status, 201)
})

test('a payment needs the signature and the total, and counts once', async () => {
  const id = await createSent()
  assert.equal((await pay(id, '81.17', 'a guess')).status, 403)
  assert.equal((await pay(id, '8.17')).status, 409)
  assert.equal((await pay(randomUUID())).status, 404)
  assert.equal((await pay(id)).status, 200)
  const paid = await stored(id)
  assert.equal(paid['status'], 'paid')
  assert.equal((await pay(id)).status, 200)
  assert.deepEqual(await stored(id), paid)
})

test('a sent invoice is overdue the day after it was due, and can still be paid', async () => {
  const today = Date.now()
  const [yesterday, due] = [today - DAY_MS, today].map((time) => new Date(time).toISOString().slice(0, 10))
  const draft = await read(await create(randomUUID(), yesterday))
  const ids = [draft['id'] ?? '', await createSent(yesterday), await createSent(due)]
  const statuses = async () => (await Promise.all(ids.map(stored))).map(({ status }) => status)
  await runJobs(env, database) // Plans the job for the next night.
  assert.deepEqual(await statuses(), ['draft', 'sent', 'sent'])
  await database.pool.query('UPDATE _job SET run_at = now()')
  await runJobs(env, database)
  assert.deepEqual(await statuses(), ['draft', 'overdue', 'sent'])
  assert.equal((await pay(ids[1] ?? '')).status, 200)
  assert.deepEqual(await statuses(), ['draft', 'paid', 'sent'])
})

test('signatures are those of the body, and none without a secret', () => {
  const body = Buffer.from('{}')
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  assert.equal(isSigned(body, signature, SECRET), true)
  for (const other of [undefined, '', 'zz', signature.slice(2), `${signature}00`])
    assert.equal(isSigned(body, other, SECRET), false)
  assert.equal(isSigned(Buffer.from('{ }'), signature, SECRET), false)
  assert.equal(isSigned(body, createHmac('sha256', '').update(body).digest('hex'), undefined), false)
})

test('the export has no formulas, and is for the office', async () => {
  assert.equal(
    lineOf(['=1+1', '+1', '-1', '@a', 'a "b", c', null, 7]),
    `"'=1+1","'+1","'-1","'@a","a ""b"", c","","7"\r\n`,
  )
  await create()
  const exported = await app.request('/invoice/export.csv', { headers: office.headers })
  const [header, line] = (await exported.text()).split('\r\n')
  assert.equal(header, '"number","customer","status","total","dueOn","paidAt"')
  assert.match(line ?? '', /^"\d+","'=1\+1","draft","81\.17","2030-07-01",""$/)
  assert.equal((await app.request('/invoice/export.csv', { headers: technician.headers })).status, 403)
})
