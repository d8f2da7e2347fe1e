import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inLanguage, setupText } from '../platform.ts'
import { idOf, newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
References: project { #authMethod(email); }
Person: service { name: string; #auth; }
Secret: service { text: string; #omit[read]; }
City: service {
  name: string(80);
  size: int(precision: 4);
  nickname: string(20)?;

  Sight: struct { name: string; #enumerable; }

  #readable(by: all);
  #enumerable(filter: [name, size, nickname], sort: [size]);
}
Trip: service {
  from: City;
  to: City;
  with: Secret;
  stop: City @client;
  found: City @serverSet;
  note: string;

  Leg: struct { before: Trip; city: City; }

  #uses[Person];
}
`
const SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate((_env, request, input) => {
    if (request.note === 'hooked') input.from = request.stop
    env.log.warn('hook ran: ' + request.note)
  })
  router.get('/trip/comm/:id', async (c) => {
    const read = await env.comm.city.read(c.req.param('id'), c.var.caller)
    return c.json({ read: read ?? null })
  })
  router.post('/trip/comm', async (c) => {
    const created = await env.comm.city.create(await c.req.json(), c.var.caller)
    return c.json({ created })
  })
  router.post('/trip/comm/every-operation', async (c) => {
    const { caller } = c.var
    const { city, person } = env.comm
    const [small, large] = [
      await city.create({ name: 'Ulm', size: 1 }, caller),
      await city.create({ name: 'Ulm', size: 2, nickname: 'null' }, caller),
    ]
    const id = small?.id ?? ''
    const sight = await city.sight.create(id, { name: 'Minster' }, caller)
    await city.sight.create(id, { name: 'Danube' }, caller)
    const none = await person.identify(caller)
    await person.create({ name: 'Ann' }, caller)
    const ids = (list: readonly { id: string }[] = []) => list.map((each) => each.id)
    return c.json({
      filtered: ids(await city.list({ name: 'Ulm', 'size[gte]': 2 }, caller)).join() === large?.id,
      sorted: ids(await city.list({ 'size[in]': [1, 2], sort: '-size' }, caller)).join() === [large?.id, id].join(),
      inNone: await city.list({ 'size[in]': [] }, caller),
      page: (await city.list({ 'size[in]': [1, 2], limit: 1 }, caller))?.map(({ size }) => size),
      nicknamed: ids(await city.list({ nickname: 'null' }, caller)).join() === large?.id,
      nameless: ids(await city.list({ nickname: null, name: 'Ulm', 'size[gt]': 0 }, caller)).join() === id,
      updated: (await city.update(id, { name: 'Neu-Ulm', size: 3 }, caller))?.name,
      patched: await city.patch(id, { nickname: 'Spatz' }, caller),
      cleared: (await city.patch(id, { nickname: null }, caller))?.nickname ?? null,
      sights: (await city.sight.list(id, {}, caller))?.map(({ name }) => name),
      byId: ids(await city.list({ 'id[in]': [large?.id ?? '', caller.id] }, caller)).join() === large?.id,
      inNoIds: await city.list({ 'id[in]': [] }, caller),
      sight: (await city.sight.read(id, sight?.id ?? '', caller))?.name,
      renamed: (await city.sight.update(id, sight?.id ?? '', { name: 'Ulm Minster' }, caller))?.name,
      deletedSight: (await city.sight.delete(id, sight?.id ?? '', caller)) === sight?.id,
      deleted: (await city.delete(id, caller)) === id,
      exists: [await city.exists(id, caller), await city.exists(large?.id ?? '', caller)],
      identified: [none ?? null, (await person.identify(caller)) === caller.id],
      missing: [
        await city.read(id, caller),
        await city.update(id, { name: 'x', size: 1 }, caller),
        await city.patch(id, {}, caller),
        await city.delete(id, caller),
        await city.sight.create(id, { name: 'x' }, caller),
        await city.sight.list(id, {}, caller),
        await city.sight.read(large?.id ?? '', id, caller),
        await city.sight.delete(large?.id ?? '', id, caller),
      ].map((result) => result ?? null),
    })
  })
  router.post('/trip/comm/many', async (c) => {
    const { ids, parent } = await c.req.json<{ ids: string[]; parent: string }>()
    const { caller } = c.var
    return c.json({
      cities: (await env.comm.city.readMany(ids, caller)).map(({ name }) => name),
      people: (await env.comm.person.readMany(ids, caller)).map(({ name }) => name),
      trips: (await env.datastore.readManyTrip(ids)).map(({ note }) => note),
      legs: (await env.datastore.readManyLeg(parent, ids)).length,
    })
  })
  router.post('/trip/comm/in-transaction', async (c) => {
    const ask = () => env.comm.city.read(c.var.caller.id, c.var.caller)
    await env.transaction(async (tx) => {
      await ask()
      await tx.datastore.readTrip({ id: c.var.caller.id })
      for (let count = 0; count < 3; count++) await ask()
    })
    return c.json({})
  })
  router.put('/trip/comm/:id', async (c) => {
    await env.comm.city.update(c.req.param('id'), { name: 'x', size: 1 }, c.var.caller)
    return c.json({})
  })
  router.get('/trip/comm/cities/:sort', async (c) => {
    return c.json(await env.comm.city.list({ sort: c.req.param('sort') }, c.var.caller))
  })
}
`,
  'references-trip.go',
)
const CITY_SETUP = setupText(
  `import { HookError, type Env } from './hooks.ts'

export default function setup(env: Env): void {
  env.hooks.beforeRead((_env, input) => env.log.info({ city: input.id }, 'city read'))
  env.hooks.afterRead((_env, city) => {
    if (city.name === 'Hidden') throw new HookError(404, 'Hidden')
    if (city.name === 'Closed') throw new HookError(403, 'Closed')
    city.name = city.name.toUpperCase()
  })
}
`,
  'references-city.go',
)
const [ann, bob] = [newUser(), newUser()]

let platform: RunningPlatform
let city: string
let secret: string
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { trip: SETUP, city: CITY_SETUP } })
  city = idOf(await platform.call('POST', '/city', { as: ann, body: { name: 'Ulm', size: 0 } }))
  secret = idOf(await platform.call('POST', '/secret', { as: ann, body: { text: 'x' } }))
})
afterAll(() => platform.stop())

async function outcome(method: string, path: string, as: string, body?: unknown) {
  const { status, json } = await platform.call(method, path, { as, body })
  return [status, json]
}
const trip = (changes: Record<string, unknown> = {}) => ({
  from: city,
  to: city,
  with: secret,
  stop: city,
  note: '',
  ...changes,
})

describe('references to other services', () => {
  test('hold where the entity is there and the caller may read it', async () => {
    const answer = await platform.call('POST', '/trip', { as: ann, body: trip({ from: city.toUpperCase() }) })
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        id: idOf(answer),
        from: city,
        to: city,
        with: secret,
        found: '00000000-0000-0000-0000-000000000000',
        note: '',
      },
    ])
    expect(await outcome('POST', '/trip', bob, trip())).toEqual([400, { error: `Unknown Secret: ${secret}` }])
  })

  test('of several unknown ones the first in the definition is named', async () => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    expect(await outcome('POST', '/trip', ann, trip({ with: first, to: second }))).toEqual([
      400,
      { error: `Unknown City: ${second}` },
    ])
    expect(await outcome('POST', '/trip', ann, trip({ stop: third, with: first }))).toEqual([
      400,
      { error: `Unknown Secret: ${first}` },
    ])
    expect(await outcome('POST', '/trip', ann, trip({ stop: third }))).toEqual([
      400,
      { error: `Unknown City: ${third}` },
    ])
  })

  test('an update asks only for those that it changes', async () => {
    const gone = idOf(await platform.call('POST', '/city', { as: ann, body: { name: 'Atlantis', size: 0 } }))
    const id = idOf(await platform.call('POST', '/trip', { as: ann, body: trip({ from: gone }) }))
    await platform.call('DELETE', `/city/${gone}`, { as: ann })
    const body = trip({ from: gone.toUpperCase(), note: 'n' })
    expect((await platform.call('PUT', `/trip/${id}`, { as: ann, body })).status).toBe(200)
    expect(await outcome('PUT', `/trip/${id}`, ann, { ...body, to: gone })).toEqual([
      400,
      { error: `Unknown City: ${gone}` },
    ])
  })

  test('what is wrong in the body or with access comes first', async () => {
    const id = idOf(await platform.call('POST', '/trip', { as: ann, body: trip() }))
    expect(await outcome('PUT', `/trip/${id}`, bob, trip({ from: randomUUID() }))).toEqual([
      404,
      { error: `Trip not found: ${id}` },
    ])
    expect((await platform.call('PUT', `/trip/${id}`, { as: ann, body: trip({ note: 1 }) })).json).toEqual({
      error: 'Invalid request parameter note: must be a string',
    })
  })

  test('what hooks set is trusted, and hooks do not run before the check', async () => {
    await outcome('POST', '/trip', ann, trip({ to: randomUUID(), note: 'refused' }))
    const nowhere = city
    const answer = await platform.call('POST', '/trip', { as: ann, body: trip({ note: 'hooked' }) })
    expect(answer.json).toMatchObject({ from: nowhere })
    const log = () => platform.services.get('trip')?.output.text
    await vi.waitFor(() => expect(log()).toContain('hook ran: hooked'), { timeout: 5000 })
    expect(log()).not.toContain('hook ran: refused')
  })

  test('a struct refers to its own service in its database, with the caller’s access', async () => {
    const id = idOf(await platform.call('POST', '/trip', { as: ann, body: trip() }))
    const others = idOf(
      await platform
        .call('POST', '/secret', { as: bob, body: { text: 'y' } })
        .then((answer) => platform.call('POST', '/trip', { as: bob, body: trip({ with: idOf(answer) }) })),
    )
    const leg = { before: id, city }
    expect((await platform.call('POST', `/trip/${id}/leg`, { as: ann, body: leg })).status).toBe(201)
    expect(await outcome('POST', `/trip/${id}/leg`, ann, { ...leg, before: others })).toEqual([
      400,
      { error: `Unknown Trip: ${others}` },
    ])
    expect(await outcome('POST', `/trip/${id}/leg`, bob, { ...leg, before: others })).toEqual([
      404,
      { error: `Trip not found: ${id}` },
    ])
  })
})

describe('the second port', () => {
  test('tells which references are unknown to the caller, though read is omitted', async () => {
    const nobody = randomUUID()
    const ask = async (as: string) => {
      const response = await fetch(`${platform.services.get('secret')?.internalUrl}/references`, {
        method: 'POST',
        headers: { authorization: await platform.authorization(as) },
        body: JSON.stringify({ ids: [secret, nobody, 'malformed', secret.toUpperCase()] }),
      })
      return [response.status, await response.json()]
    }
    expect(await ask(ann)).toEqual([200, { unknown: [nobody, 'malformed'] }])
    expect(await ask(bob)).toEqual([200, { unknown: [secret, nobody, 'malformed', secret.toUpperCase()] }])
  })

  test('refuses what is not a question, and nobody', async () => {
    const url = platform.services.get('secret')?.internalUrl
    const headers = { authorization: await platform.authorization(ann) }
    for (const body of ['', '[]', '{"ids":1}', '{"ids":[1]}', '{']) {
      expect((await fetch(`${url}/references`, { method: 'POST', headers, body })).status).toBe(400)
    }
    expect((await fetch(`${url}/references`, { method: 'POST', body: '{"ids":[]}' })).status).toBe(401)
    const large = { ...headers, 'content-length': 70_000_000 }
    const refused = new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${url}/references`, { method: 'POST', headers: large }, resolve)
      sent.once('error', reject).flushHeaders()
    })
    expect((await refused).statusCode).toBe(413)
    expect((await fetch(`${url}/api/secret`, { method: 'POST', body: '{}' })).status).toBe(401)
  })

  test('env.comm calls the other service with the caller’s token', async () => {
    expect(await outcome('GET', `/trip/comm/${city}`, ann)).toEqual([
      200,
      { read: { id: city, name: 'ULM', size: 0, nickname: null } },
    ])
    // In Go, an id is not a text.
    const ids = inLanguage({ typescript: [secret, '..%2Fhealth%2Flive'], go: [secret] })
    for (const id of ids) expect(await outcome('GET', `/trip/comm/${id}`, bob)).toEqual([200, { read: null }])
  })

  test('env.comm passes on what the other service refuses', async () => {
    expect(await outcome('POST', '/trip/comm', ann, {})).toEqual([
      400,
      { error: 'Missing request parameter(s): name, size' },
    ])
    expect(await outcome('POST', '/trip/comm', ann, { name: 'Bern', size: 4 })).toEqual([
      200,
      { created: { id: expect.any(String) as string, name: 'Bern', size: 4, nickname: null } },
    ])
    expect(await outcome('PUT', `/trip/comm/${city}`, bob)).toEqual([403, { error: 'Forbidden' }])
    expect(await outcome('GET', '/trip/comm/cities/name', ann)).toEqual([
      400,
      { error: 'Invalid request parameter sort: must be one of size, -size' },
    ])
  })

  test('env.comm has every operation of the other service, with undefined for what is not found', async () => {
    expect(await outcome('POST', '/trip/comm/every-operation', newUser())).toEqual([
      200,
      {
        filtered: true,
        sorted: true,
        inNone: [],
        page: [1],
        nicknamed: true,
        nameless: true,
        updated: 'Neu-Ulm',
        patched: { id: expect.any(String) as string, name: 'Neu-Ulm', size: 3, nickname: 'Spatz' },
        cleared: null,
        sights: ['Minster', 'Danube'],
        byId: true,
        inNoIds: [],
        sight: 'Minster',
        renamed: 'Ulm Minster',
        deletedSight: true,
        deleted: true,
        exists: [false, true],
        identified: [null, true],
        missing: [null, null, null, null, null, null, null, null],
      },
    ])
  })

  test('several entities are read with one request, with the hooks of a read for each', async () => {
    const [cat, dan] = [newUser(), newUser()]
    const create = async (path: string, as: string, body: unknown) =>
      idOf(await platform.call('POST', path, { as, body }))
    const cities: string[] = []
    for (const name of ['Ulm', 'Hidden', 'Bonn', 'Kiel'])
      cities.push(await create('/city', cat, { name, size: 1 }))
    for (const user of [cat, dan]) await create('/person', user, { name: user })
    const note = newUser()
    const secretId = await create('/secret', cat, { text: 'x' })
    const id = await create('/trip', cat, trip({ with: secretId, note }))
    const leg = await create(`/trip/${id}/leg`, cat, { before: id, city })
    const many = (ids: readonly string[], parent = id) =>
      outcome('POST', '/trip/comm/many', cat, { ids, parent })

    const random = Array.from({ length: 250 }, () => randomUUID())
    const ids = [dan, ...random, cat, cities[2] ?? '', ...cities, id, leg]
    const names = ['BONN', 'KIEL', 'ULM']
    const [status, json] = await many(ids)
    const { cities: found, ...rest } = json as { cities: string[] }
    expect([status, found.toSorted(), rest]).toEqual([200, names, { people: [cat], trips: [note], legs: 1 }])
    expect(await many([], id)).toEqual([200, { cities: [], people: [], trips: [], legs: 0 }])
    expect(await many([leg], randomUUID())).toEqual([200, { cities: [], people: [], trips: [], legs: 0 }])
    const read = () =>
      (platform.services.get('city')?.log() ?? []).flatMap((line) =>
        line.message === 'city read' ? [String(line['city'])] : [],
      )
    await expect.poll(() => cities.filter((each) => !read().includes(each))).toEqual([])
    expect(await many([await create('/city', cat, { name: 'Closed', size: 1 })])).toEqual([
      403,
      { error: 'Closed' },
    ])
  })

  test('reads at most 100 entities at once, for nobody without a token, and only where entities are read', async () => {
    const headers = { authorization: await platform.authorization(ann) }
    const ask = async (service: string, body: unknown, sent: Record<string, string> = headers) => {
      const url = `${platform.services.get(service)?.internalUrl}/read-many`
      const response = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
      return [response.status, await response.json()]
    }
    const ids = Array.from({ length: 100 }, () => randomUUID())
    expect(await ask('city', { ids })).toEqual([200, { entities: [] }])
    const refused = (problem: string) => [400, { error: `Invalid request parameter ids: ${problem}` }]
    expect(await ask('city', { ids: [...ids, city] })).toEqual(refused('must have at most 100 ids'))
    expect(await ask('city', { ids: ['x'] })).toEqual(refused('must be a UUID'))
    expect(await ask('city', { ids: 'x' })).toEqual(refused('must be a list of strings'))
    expect(await ask('city', { ids }, {})).toEqual([401, { error: 'Unauthorized' }])
    expect(await ask('secret', { ids })).toEqual([404, { error: 'Not found' }])
    expect((await platform.call('POST', '/city/read-many', { as: ann, body: { ids } })).status).toBe(405)
  })

  test('env.comm in a transaction that holds a connection is logged, once for each place', async () => {
    for (let count = 0; count < 2; count++)
      expect(await outcome('POST', '/trip/comm/in-transaction', ann)).toEqual([200, {}])
    const warned = () =>
      (platform.services.get('trip')?.log() ?? []).filter(({ message }) =>
        message.startsWith('A transaction holds a connection'),
      )
    await expect.poll(warned).toHaveLength(1)
    expect(warned()[0]?.['place']).toMatch(/setup\.(?:ts|go):\d+/)
  })

  test('the other service logs with the id of the request', async () => {
    const headers = { 'x-request-id': 'request-through-trip' }
    await platform.call('GET', `/trip/comm/${city}`, { as: ann, headers })
    const ids = () =>
      (platform.services.get('city')?.log() ?? [])
        .filter(({ message }) => message === 'city read')
        .map((line) => line['requestId'])
    await expect.poll(ids).toContain('request-through-trip')
  })
})

describe('a referenced service that is away', () => {
  test('is named with 503, and asked again as soon as it is back', async () => {
    const service = platform.services.get('city')
    service?.signal('SIGSTOP')
    const state = () => readFileSync(`/proc/${service?.pid}/stat`, 'utf8').split(') ')[1]?.[0]
    await expect.poll(state).toBe('T')
    expect(await outcome('POST', '/trip', ann, trip())).toEqual([503, { error: 'City is unavailable' }])
    service?.signal('SIGCONT')
    expect((await platform.call('POST', '/trip', { as: ann, body: trip() })).status).toBe(201)
    await service?.discard()
    expect(await outcome('POST', '/trip', ann, trip())).toEqual([503, { error: 'City is unavailable' }])
    expect(await outcome('POST', '/trip', ann, trip({ from: 'x' }))).toEqual([
      400,
      { error: 'Invalid request parameter from: must be a UUID' },
    ])
  })
})
