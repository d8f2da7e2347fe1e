import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { type Answer, idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Shop: project { #authMethod(email); #roles[agent]; }

Person: service { name: string; #auth; }

Maker: service { name: string; }

Thing: service {
  name: string(20, 2);
  count: int = 3;
  note: string?;
  image: data?;
  maker: Maker?;
  code: string(8, 4) @client;
  touched: int @serverSet;
  #timestamps;
  #readable(by: all);
  #writable(by: [this, agent]);

  Part: struct { label: string; size: decimal; next: Part?; }
}

Plain: service { a: string; b: string; #readable(by: all); #writable(by: all); }
`

/** Tells what hooks see: the complete request, and what is stored anew. */
const SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

let seen: unknown[] = []

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeUpdate((_env, request, input) => {
    seen.push({ ...request, image: null }, Object.keys(input).sort())
    if (request.name === 'Touched') input.touched = 7
  })
  router.get('/thing/seen', (c) => {
    const all = seen
    seen = []
    return c.json(all)
  })
  router.post('/thing/:id/rename', async (c) => {
    const id = c.req.param('id')
    return c.json({ updated: (await env.datastore.updateThing({ id, name: 'Renamed' }))?.count ?? null })
  })
}
`,
  'patch-thing.go',
)

const OWNER = randomUUID()
const OTHER = randomUUID()
const THING = { name: 'Lamp', count: 1, note: 'new', image: 'AAE=', code: 'abcd' }

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { thing: SETUP } })
})
afterAll(() => platform.stop())

const call = (method: string, path: string, body?: unknown, as = OWNER): Promise<Answer> =>
  platform.call(method, path, { as, body })

const seen = async () => (await call('GET', '/thing/seen')).json as unknown[]

async function createThing(changes: object = {}): Promise<Record<string, unknown> & { path: string }> {
  const answer = await call('POST', '/thing', { ...THING, ...changes })
  return { ...(answer.json as object), path: `/thing/${idOf(answer)}` }
}

describe('a patch', () => {
  test('changes what it has, keeps the rest, and is no request of a PUT', async () => {
    const { path, ...created } = await createThing()
    const patched = await call('PATCH', path, { count: 2, unknown: 1 })
    const updatedAt = (patched.json as Record<string, unknown>)['updatedAt']
    expect(patched).toMatchObject({ status: 200, json: { ...created, count: 2, updatedAt } })
    expect(updatedAt).not.toBe(created['updatedAt'])
    expect(await call('GET', path)).toMatchObject({ json: patched.json })
    expect((await call('PUT', path, { count: 2 })).text).toBe(
      '{"error":"Missing request parameter(s): name, code"}',
    )
  })

  test('without attributes changes nothing, for those who may write', async () => {
    const { path, ...created } = await createThing()
    for (const body of [undefined, {}, { unknown: 1 }, { code: 'abcd' }])
      expect(await call('PATCH', path, body)).toMatchObject({ status: 200, json: created })
    expect(await call('PATCH', path, {}, OTHER)).toMatchObject({ status: 403 })
    expect(await call('PATCH', `/thing/${randomUUID()}`, {})).toMatchObject({ status: 404 })
  })

  test('clears what is optional, and nothing else', async () => {
    const { path } = await createThing()
    const cleared = await call('PATCH', path, { note: null, image: null, maker: null })
    expect(cleared).toMatchObject({ status: 200, json: { note: null, image: null, maker: null } })
    for (const name of ['name', 'count', 'code'])
      expect((await call('PATCH', path, { [name]: null })).text).toBe(
        `{"error":"Invalid request parameter ${name}: cannot be null"}`,
      )
    expect((await call('PATCH', path, { count: null, name: 'x' })).text).toBe(
      '{"error":"Invalid request parameter name: must have at least 2 characters"}',
    )
    for (const body of ['[]', 'null', '{', '"x"'])
      expect(await call('PATCH', path, body)).toMatchObject({ status: 400 })
  })

  test('lets hooks see the complete request and what is stored anew', async () => {
    const { path } = await createThing()
    await seen()
    await call('PATCH', path, { name: 'Touched' })
    await call('PATCH', path, { code: 'efgh', note: null })
    await call('PUT', path, { ...THING, name: 'Put' })
    const rest = { count: 1, note: 'new', image: null, maker: null }
    expect(await seen()).toEqual([
      { name: 'Touched', ...rest },
      ['id', 'name'],
      { name: 'Touched', ...rest, note: null, code: 'efgh' },
      ['id', 'note'],
      { name: 'Put', ...rest, code: 'abcd' },
      ['count', 'id', 'image', 'maker', 'name', 'note'],
    ])
    expect(await call('GET', path)).toMatchObject({ json: { touched: 7 } })
  })

  test('checks references that it changes', async () => {
    const maker = idOf(await call('POST', '/maker', { name: 'Ada' }))
    const { path } = await createThing({ maker })
    const nobody = randomUUID()
    expect((await call('PATCH', path, { maker: nobody })).text).toBe(`{"error":"Unknown Maker: ${nobody}"}`)
    await call('DELETE', `/maker/${maker}`)
    expect(await call('PATCH', path, { count: 9 })).toMatchObject({ status: 200, json: { maker, count: 9 } })
    expect(await call('PATCH', path, { maker })).toMatchObject({ status: 200 })
  })

  test('of an entry of a struct', async () => {
    const { path } = await createThing()
    const first = idOf(await call('POST', `${path}/part`, { label: 'a', size: '1.5' }))
    const part = `${path}/part/${idOf(await call('POST', `${path}/part`, { label: 'b', size: '2' }))}`
    expect(await call('PATCH', part, { next: first })).toMatchObject({
      status: 200,
      json: { label: 'b', size: '2.00', next: first },
    })
    expect((await call('PATCH', part, { next: OTHER })).text).toBe(`{"error":"Unknown Part: ${OTHER}"}`)
    expect(await call('PATCH', part, { size: 3 })).toMatchObject({ json: { size: '3.00', next: first } })
    expect(await call('PATCH', part, { label: 'x' }, OTHER)).toMatchObject({ status: 403 })
  })

  test('loses no change that is made at the same time', async () => {
    const path = `/plain/${idOf(await call('POST', '/plain', { a: '', b: '' }))}`
    for (let round = 0; round < 60; round++) {
      const changes = [{ a: `a${round}` }, { b: `b${round}` }]
      await Promise.all(changes.map((change, user) => call('PATCH', path, change, user ? OWNER : OTHER)))
      expect((await call('GET', path)).json).toMatchObject({ a: `a${round}`, b: `b${round}` })
    }
  })
})

test('the data access sets what it is given', async () => {
  const { path } = await createThing()
  expect((await call('POST', `${path}/rename`)).json).toEqual({ updated: 1 })
  expect(await call('GET', path)).toMatchObject({ json: { name: 'Renamed', note: 'new', image: 'AAE=' } })
  expect((await call('POST', `/thing/${randomUUID()}/rename`)).json).toEqual({ updated: null })
})
