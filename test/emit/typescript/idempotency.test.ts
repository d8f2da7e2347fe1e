import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { type Answer, idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Shop: project { #authMethod(email); }

Person: service { name: string; #auth; }

Order: service {
  name: string(20, 2);
  code: string(9)? @unique;
  #idempotent;
  #versioned;
  #enumerable;

  Part: struct { label: string; #enumerable; }
}
`

/** Refuses, fails and waits by the name of an order. */
const SETUP = setupText(
  `import { type Env, HookError } from './hooks.ts'

let calls = 0

export default function setup(env: Env): void {
  env.hooks.beforeCreate(async (_env, request) => {
    calls++
    if (request.name.startsWith('Refused')) throw new HookError(409, \`Refused \${calls}\`)
    if (request.name.startsWith('Failed') && calls % 2 === 1) throw new Error('Failed')
    if (request.name.startsWith('Slow')) await new Promise((resolve) => setTimeout(resolve, 500))
  })
}
`,
  'idempotency-order.go',
)

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { order: SETUP } })
})
afterAll(() => platform.stop())

const call = (path: string, body: unknown, as: string, key?: string): Promise<Answer> =>
  platform.call('POST', path, {
    as,
    body,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  })

async function ordersOf(user: string): Promise<unknown[]> {
  const { json } = await platform.call('GET', '/order/all', { as: user })
  return (json as { OrderList: unknown[] }).OrderList
}

describe('a create with a key', () => {
  test('is run once, and its response returned again', async () => {
    const user = randomUUID()
    const first = await call('/order', { name: 'Lamp' }, user, 'a')
    expect(first).toMatchObject({ status: 201 })
    const second = await call('/order', { name: 'Lamp' }, user, 'a')
    expect(second).toMatchObject({ status: 201, text: first.text })
    for (const name of ['location', 'etag', 'content-type', 'cache-control'])
      expect(second.headers.get(name), name).toBe(first.headers.get(name))
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await ordersOf(user)).toHaveLength(1)
    expect(await call('/order', { name: 'Lamp' }, user, 'b')).toMatchObject({ status: 201 })
    expect(await call('/order', { name: 'Lamp' }, user)).toMatchObject({ status: 201 })
    expect(await ordersOf(user)).toHaveLength(3)
  })

  test('is 422 with another body or path, and independent of other callers', async () => {
    const [user, other] = [randomUUID(), randomUUID()]
    const created = await call('/order', { name: 'Lamp' }, user, 'a')
    const reused = { status: 422, json: { error: 'Idempotency-Key was used for another request' } }
    expect(await call('/order', { name: 'Desk' }, user, 'a')).toMatchObject(reused)
    const parts = `/order/${idOf(created)}/part`
    expect(await call(parts, { name: 'Lamp' }, user, 'a')).toMatchObject({ status: 400 })
    expect(await call(parts, { label: 'Lamp' }, user, 'a')).toMatchObject(reused)
    expect(await call('/order', { name: 'Desk' }, other, 'a')).toMatchObject({ status: 201 })
    const part = await call(parts, { label: 'a' }, user, 'c')
    expect(await call(parts, { label: 'a' }, user, 'c')).toMatchObject({ status: 201, text: part.text })
  })

  test.each(['', ' ', 'a b', 'ä', 'a'.repeat(256)])('is 400 with the key %j', async (key) => {
    const refused = { status: 400, json: { error: 'Idempotency-Key must have 1 to 255 visible characters' } }
    expect(await call('/order', { name: 'Lamp' }, randomUUID(), key)).toMatchObject(refused)
  })

  test('stores what rules of the service refuse, and lets failures be repeated', async () => {
    const user = randomUUID()
    const refused = await call('/order', { name: 'Refused' }, user, 'a')
    expect(refused).toMatchObject({ status: 409 })
    expect(await call('/order', { name: 'Refused' }, user, 'a')).toMatchObject({
      status: 409,
      text: refused.text,
    })
    const statuses = []
    for (let attempt = 0; attempt < 2; attempt++)
      statuses.push((await call('/order', { name: 'Failed' }, user, 'b')).status)
    expect(statuses).toContain(201)
    await call('/order', { name: 'Lamp', code: 'x' }, user)
    const duplicate = { status: 409, json: { error: 'Duplicate Order found' } }
    expect(await call('/order', { name: 'Lamp', code: 'x' }, user, 'c')).toMatchObject(duplicate)
    await platform.sql('order')`DELETE FROM "order" WHERE code = 'x'`
    expect(await call('/order', { name: 'Lamp', code: 'x' }, user, 'c')).toMatchObject(duplicate)
  })

  test('is 409 while it runs, and makes one of several', async () => {
    const user = randomUUID()
    const all = await Promise.all(
      Array.from({ length: 8 }, () => call('/order', { name: 'Slow' }, user, 'a')),
    )
    const statuses = all.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    expect(await ordersOf(user)).toHaveLength(1)
    expect(await call('/order', { name: 'Slow' }, user, 'a')).toMatchObject({ status: 201 })
    expect(await ordersOf(user)).toHaveLength(1)
  })

  test('is taken over after 30 s, of which one is stored', async () => {
    const user = randomUUID()
    const first = call('/order', { name: 'Slow 1' }, user, 'a')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await platform.sql('order')`UPDATE _keys SET expires = now() - interval '1 s' WHERE caller = ${user}`
    const second = await call('/order', { name: 'Slow 1' }, user, 'a')
    const statuses = [(await first).status, second.status]
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(await ordersOf(user)).toHaveLength(1)
  })

  test('is forgotten after 24 hours', async () => {
    const user = randomUUID()
    await call('/order', { name: 'Lamp' }, user, 'a')
    await platform.sql('order')`UPDATE _keys SET expires = now() - interval '1 s'`
    expect(await call('/order', { name: 'Desk' }, user, 'a')).toMatchObject({ status: 201 })
    for (let count = 0; count < 10; count++) await call('/order', { name: 'Desk' }, user, `b${count}`)
    const expired = await platform.sql('order')`SELECT FROM _keys WHERE expires < now()`
    expect(expired).toHaveLength(0)
  })
})

test('a create that a crash ends can be repeated, and makes one entity', async () => {
  const user = randomUUID()
  const lost = call('/order', { name: 'Slow' }, user, 'a').catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 250))
  await platform.crash('order')
  expect(await lost).toBeUndefined()
  // The claim of the request that was lost runs out after 30 s.
  expect(await call('/order', { name: 'Slow' }, user, 'a')).toMatchObject({ status: 409 })
  await platform.sql('order')`UPDATE _keys SET expires = now() - interval '1 s' WHERE caller = ${user}`
  const created = await call('/order', { name: 'Slow' }, user, 'a')
  expect(created).toMatchObject({ status: 201 })
  // The response of this one may be lost as well.
  await platform.crash('order')
  expect(await call('/order', { name: 'Slow' }, user, 'a')).toMatchObject({ status: 201, text: created.text })
  expect(await ordersOf(user)).toHaveLength(1)
})
