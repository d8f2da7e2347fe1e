import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { type Answer, idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Shop: project { #authMethod(email); }

Person: service { name: string; #auth; #versioned(required: true); #readable(by: all); }

Thing: service {
  name: string(20, 2);
  version: int = 3;
  #versioned;
  #readable(by: all);

  Part: struct { label: string; next: Part?; #versioned; #timestamps; }
}

Desk: service { name: string; #uses[Thing, Person]; }
`

/** Changes a Thing again after each update to `Twice`, and adds a route that knows the version. */
const THING = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.afterUpdate(async (inner, thing) => {
    if (thing.name !== 'Twice') return
    const again = await inner.datastore.updateThing({ id: thing.id, name: 'Again' }, [thing._version])
    Object.assign(thing, again)
  })
  router.post('/thing/:id/rename/:version', async (c) => {
    const { id, version } = c.req.param()
    const updated = await env.datastore.updateThing({ id, name: 'Renamed' }, [Number(version)])
    return c.json({ version: updated?._version ?? null })
  })
}
`,
  'versions-thing.go',
)

/** Reads and changes what belongs to other services. */
const DESK = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  router.post('/desk/change/:id', async (c) => {
    const { id } = c.req.param()
    const { caller } = c.var
    const thing = await env.comm.thing.read(id, caller)
    if (thing === undefined) return c.json({}, 404)
    const changed = await env.comm.thing.patch(thing, { name: 'First' }, caller)
    const status = await env.comm.thing.delete(thing, caller).then(() => 200, (error) => error.status)
    const person = await env.comm.person.read(caller.id, caller)
    const named = person && (await env.comm.person.update(person, { name: 'Ada' }, caller))
    return c.json({ name: changed?.name, status, person: named?.name })
  })
}
`,
  'versions-desk.go',
)

const OWNER = randomUUID()
const OTHER = randomUUID()

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { thing: THING, desk: DESK } })
})
afterAll(() => platform.stop())

interface Sent {
  readonly body?: unknown
  readonly as?: string
  /** The header `If-Match`. */
  readonly match?: string
}

const call = (method: string, path: string, { body, as = OWNER, match }: Sent = {}): Promise<Answer> =>
  platform.call(method, path, {
    as,
    body,
    ...(match === undefined ? {} : { headers: { 'If-Match': match } }),
  })

const read = (path: string, unlike: string): Promise<Answer> =>
  platform.call('GET', path, { as: OWNER, headers: { 'If-None-Match': unlike } })

const tagOf = ({ headers }: Answer): string | null => headers.get('etag')

async function createThing(): Promise<string> {
  const created = await call('POST', '/thing', { body: { name: 'Lamp' } })
  expect(tagOf(created)).toBe('"1"')
  return `/thing/${idOf(created)}`
}

describe('a version', () => {
  test('is in responses with one entity, and counts each change', async () => {
    const path = await createThing()
    expect(tagOf(await call('GET', path))).toBe('"1"')
    expect(tagOf(await call('HEAD', path))).toBe('"1"')
    expect(tagOf(await call('PUT', path, { body: { name: 'Desk' } }))).toBe('"2"')
    expect(tagOf(await call('PATCH', path, { body: { version: 4 } }))).toBe('"3"')
    expect(tagOf(await call('PATCH', path, { body: {} }))).toBe('"3"')
    await platform.sql('thing')`UPDATE thing SET version = 5`
    const found = await call('GET', path)
    expect(tagOf(found)).toBe('"4"')
    expect(Object.keys(found.json as object)).toEqual(['id', 'name', 'version'])
    expect(tagOf(await call('DELETE', path))).toBeNull()
  })

  test.each(['"1"', 'W/"1"', '"7", "1"', 'W/"7",W/"1"', '*'])('If-None-Match %s is 304', async (tags) => {
    const path = await createThing()
    const unchanged = await read(path, tags)
    expect(unchanged).toMatchObject({ status: 304, text: '' })
    expect(tagOf(unchanged)).toBe('"1"')
    expect(unchanged.headers.get('cache-control')).toBe('no-store')
    expect(await call('PATCH', path, { body: { name: 'New' } })).toMatchObject({ status: 200 })
    expect(await read(path, tags)).toMatchObject({ status: tags === '*' ? 304 : 200 })
  })

  test.each(['"1"', '"7", "1"', '"7","1"', '*'])('If-Match %s changes', async (tags) => {
    const path = await createThing()
    expect(await call('PATCH', path, { body: { name: 'New' }, match: tags })).toMatchObject({ status: 200 })
    expect(await call('PUT', path, { body: { name: 'Put' }, match: '"2"' })).toMatchObject({ status: 200 })
    expect(await call('DELETE', path, { match: '"3"' })).toMatchObject({ status: 200 })
  })

  test.each(['"2"', 'W/"1"', '1', '"01"', '""', '"1', '', '"99999999999999999999"', '"2", W/"1"', '*, "2"'])(
    'If-Match %j is 412 and changes nothing',
    async (tags) => {
      const path = await createThing()
      const refused = { status: 412, json: { error: 'Thing has changed' } }
      expect(await call('PUT', path, { body: { name: 'New' }, match: tags })).toMatchObject(refused)
      expect(await call('PATCH', path, { body: { name: 'New' }, match: tags })).toMatchObject(refused)
      expect(await call('PATCH', path, { body: {}, match: tags })).toMatchObject(refused)
      expect(await call('DELETE', path, { match: tags })).toMatchObject(refused)
      const found = await call('GET', path)
      expect(found).toMatchObject({ json: { name: 'Lamp' } })
      expect(tagOf(found)).toBe('"1"')
    },
  )

  test('comes after access and existence', async () => {
    const path = await createThing()
    const others = { body: { name: 'New' }, as: OTHER, match: '"9"' }
    expect(await call('PUT', path, others)).toMatchObject({ status: 403 })
    expect(await call('DELETE', path, others)).toMatchObject({ status: 403 })
    const missing = `/thing/${randomUUID()}`
    expect(await call('PUT', missing, others)).toMatchObject({ status: 404 })
    expect(await call('DELETE', missing, { match: '*' })).toMatchObject({ status: 404 })
    expect(await call('PUT', path, { body: {}, match: '"9"' })).toMatchObject({ status: 400 })
  })

  test('of an entry of a struct is its own', async () => {
    const thing = await createThing()
    const path = `${thing}/part/${idOf(await call('POST', `${thing}/part`, { body: { label: 'a' } }))}`
    expect(tagOf(await call('GET', path))).toBe('"1"')
    const refused = { status: 412, json: { error: 'Part has changed' } }
    expect(await call('PATCH', path, { body: { label: 'b' }, match: '"2"' })).toMatchObject(refused)
    expect(await call('PATCH', path, { body: {}, match: '"2"' })).toMatchObject(refused)
    expect(await call('PATCH', path, { body: { label: 'b' }, match: '"2"', as: OTHER })).toMatchObject({
      status: 403,
    })
    expect(tagOf(await call('PATCH', path, { body: { label: 'b' }, match: '"1"' }))).toBe('"2"')
    expect(await call('DELETE', path, { match: '"1"' })).toMatchObject(refused)
    expect(await call('DELETE', `${thing}/part/${randomUUID()}`, { match: '"1"' })).toMatchObject({
      status: 404,
    })
    expect(tagOf(await call('GET', thing))).toBe('"1"')
    expect(await call('DELETE', path, { match: '"2"' })).toMatchObject({ status: 200 })
  })

  test('that several requests name is changed by one of them', async () => {
    const path = await createThing()
    for (let version = 1; version <= 20; version++) {
      const all = ['a', 'b', 'c', 'd'].map((name) =>
        call('PATCH', path, { body: { name: `${name}${version}` }, match: `"${version}"` }),
      )
      const statuses = (await Promise.all(all)).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
    }
  })

  test('is known to hooks and the data access', async () => {
    const path = await createThing()
    const twice = await call('PUT', path, { body: { name: 'Twice' }, match: '"1"' })
    expect(twice).toMatchObject({ json: { name: 'Again' } })
    expect(tagOf(twice)).toBe('"3"')
    expect((await call('POST', `${path}/rename/1`)).json).toEqual({ version: null })
    expect((await call('POST', `${path}/rename/3`)).json).toEqual({ version: 4 })
  })
})

describe('a required version', () => {
  test('is 428 without If-Match', async () => {
    const user = randomUUID()
    const as = { as: user }
    const path = `/person/${user}`
    const created = await call('POST', '/person', { ...as, body: { name: 'Ada' } })
    const refused = { status: 428, json: { error: 'If-Match is required' } }
    expect(await call('PUT', path, { ...as, body: { name: 'Bob' } })).toMatchObject(refused)
    expect(await call('PATCH', path, { ...as, body: {} })).toMatchObject(refused)
    expect(await call('DELETE', path, as)).toMatchObject(refused)
    expect(await call('DELETE', path, { as: OTHER, match: '*' })).toMatchObject({ status: 403 })
    const tag = tagOf(created) ?? ''
    expect(await call('PATCH', path, { ...as, body: { name: 'Bob' }, match: tag })).toMatchObject({
      status: 200,
    })
    expect(await call('PATCH', path, { ...as, body: { name: 'Eve' }, match: tag })).toMatchObject({
      status: 412,
    })
    expect(await call('DELETE', path, { ...as, match: '*' })).toMatchObject({ status: 200 })
  })

  test('of a user who comes back is another one', async () => {
    const as = { as: randomUUID() }
    const first = await call('POST', '/person', { ...as, body: { name: 'Ada' } })
    await call('DELETE', `/person/${as.as}`, { ...as, match: '*' })
    const second = await call('POST', '/person', { ...as, body: { name: 'Eve' } })
    expect(tagOf(second)).not.toBe(tagOf(first))
  })
})

test('other services send the version that they have read', async () => {
  const path = await createThing()
  await call('POST', '/person', { body: { name: 'Eve' } })
  expect((await call('POST', path.replace('/thing/', '/desk/change/'))).json).toEqual({
    name: 'First',
    status: 412,
    person: 'Ada',
  })
})
