import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inLanguage, setupText } from '../platform.ts'
import { type Answer, idOf, type RunningPlatform, runPlatform, type Sent } from './running-platform.ts'

const DEFINITION = `
Fair: project { #authMethod(email); #roles[agent]; #metrics(prometheus); }

Person: service { name: string; #auth; #readable(by: all); }

Home: service {
  title: string;
  #readable(by: all);
  #writable(by: [this]);

  Photo: struct { image: data; }

  /// What a stay costs.
  Quote: endpoint {
    #get("{id}/quote");
    nights: int(30, 1);
    coupon: string(20)? @client;
    board: enum(none, half) = none @client;
    breakfast: bool = false @client;
    from: datetime?;
    seen: string @serverSet;
    total: decimal @serverSet;
  }
  Near: endpoint { #get("near/{place}"); place: string(80) @client; #returns(list: Home); }
  Here: endpoint { #get("near/here"); #returns(Home); }
  Webhook: endpoint {
    #post("webhook");
    kind: string(40) @client;
    bytes: string @serverSet;
    user: string? @serverSet;
    #public;
    #status(202);
  }
  Peek: endpoint { #get("{id}/here"); title: string @serverSet; #public; #access(none); }
  Assign: endpoint { #put("{id}/owner"); owner: Person; #access(none, by: agent); }
  Link: endpoint { #post("{id}/link"); other: Home; owner: Person?; }
  Adjust: endpoint { #patch("{id}/rate"); rate: decimal; note: string(5)?; }
  Search: endpoint { #post("search"); words: string @client; #returns(list: Photo); }
  Cover: endpoint { #get("{id}/cover/{photo}/{number}"); photo: string @client; number: int(9, 0) @client; #returns(Photo); }
  Touch: endpoint { #delete("{id}/touch"); reason: string? ; }
  Wrong: endpoint { #get("wrong/{how}"); how: enum(none, long, local) @client; code: string(3) @serverSet; at: datetime @serverSet; }
}

Agency: service { name: string; #uses[Home]; }
`

const SETUP = setupText(
  `import { type Env, HookError, type Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  const { endpoints, datastore } = env
  router.use(async (_c, next) => next())
  router.get('/home/own/here', (c) => c.json({ user: c.var.caller.id }))
  async function homeOf(id: string) {
    const found = await datastore.readHome({ id })
    if (found === undefined) throw new HookError(404, 'No such home')
    return found
  }
  async function photoOf(parentId: string, id: string) {
    const found = await datastore.readPhoto({ id, parentId })
    if (found === undefined) throw new HookError(404, 'No such photo')
    return found
  }
  endpoints.quote((_env, request) => {
    const { nights, coupon, board, breakfast, from } = request
    if (coupon === 'none') return new HookError(409, 'No such coupon')
    if (coupon === 'broken') throw new Error('secret')
    return { nights, from, seen: [coupon ?? '-', board, breakfast].join(' '), total: nights * 10 + '.00' }
  })
  endpoints.near(async (_env, { place, limit, after }) =>
    after === undefined ? { items: [await homeOf(place)], ...(limit === 1 ? { next: 'a&b=ü' } : {}) } : [],
  )
  endpoints.here(async () => ({ ...(await homeOf((await datastore.listHome())[0]?.id ?? '')), title: 'Here' }))
  endpoints.webhook(async (_env, _request, caller, c) => ({ bytes: await c.req.text(), user: caller?.id ?? null }))
  endpoints.peek(async (_env, { id }) => ({ title: (await homeOf(id)).title }))
  endpoints.assign((_env, { owner }) => ({ owner }))
  endpoints.link((_env, { other, owner }) => ({ other, owner }))
  endpoints.adjust((_env, { rate, note }) => ({ rate, note }))
  endpoints.search(async (_env, { words, limit, after }) => {
    const [home = '', photo = ''] = words.split(' ')
    return { items: [await photoOf(home, photo)], next: [limit, after ?? 'first'].join(' ') }
  })
  endpoints.cover(async (_env, { id, photo, number }) => {
    if (number === 0) throw new HookError(418, 'Not a number')
    return photoOf(id, photo)
  })
  endpoints.touch((_env, { reason }) => ({ reason }))
  endpoints.wrong((_env, { how }) => ({
    code: how === 'long' ? 'long' : 'ok',
    at: how === 'local' ? '2030-01-02T03:04:05+01:00' : '2030-01-02T03:04:05Z',
  }))
}
`,
  'endpoints-home.go',
)

/** Calls the endpoints of another service. */
const CALLER = setupText(
  `import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  const { home } = env.comm
  router.get('/agency/calls/:home/:photo', async (c) => {
    const caller = c.var.caller
    const id = c.req.param('home')
    const photo = c.req.param('photo')
    const refused = await home.quote({ id, nights: 0 }, caller).catch((error: unknown) => (error as Error).message)
    return c.json({
      quote: await home.quote({ id, nights: 2, coupon: 'a/b &', board: 'half' }, caller),
      near: (await home.near({ place: id, limit: 1 }, caller))?.map(({ title }) => title),
      webhook: (await home.webhook({ kind: 'ping' }, caller))?.user === caller.id,
      search: (await home.search({ words: id + ' ' + photo, limit: 5 }, caller))?.map((found) => found.id === photo),
      cover: (await home.cover({ id, photo, number: 3 }, caller))?.id === photo,
      adjust: await home.adjust({ id, rate: '1.5', note: null }, caller),
      touch: await home.touch({ id, reason: 'null' }, caller),
      missing: (await home.quote({ id: photo, nights: 1 }, caller)) ?? null,
      refused,
    })
  })
}
`,
  'endpoints-agency.go',
)

const OWNER = randomUUID()
const OTHER = randomUUID()

let platform: RunningPlatform
let home: string
let photo: string
beforeAll(async () => {
  // Builds as those of `portico dev`, which check responses.
  const flags = process.env['GOFLAGS']
  process.env['GOFLAGS'] = '-tags=portico_dev'
  platform = await runPlatform(DEFINITION, { setup: { home: SETUP, agency: CALLER } })
  if (flags === undefined) delete process.env['GOFLAGS']
  else process.env['GOFLAGS'] = flags
  home = idOf(await call('POST', '/home', { title: 'Loft' }))
  photo = idOf(await call('POST', `/home/${home}/photo`, { image: 'AAE=' }))
})
afterAll(() => platform.stop())

const call = (method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Answer> =>
  platform.call(method, path, { as: OWNER, body, ...sent })

const get = async (path: string, sent?: Sent) => (await call('GET', path, undefined, sent)).text

const error = (message: string) => JSON.stringify({ error: message })

describe('requests to an endpoint', () => {
  test('are read from the query', async () => {
    const path = `/home/${home}/quote`
    expect(await call('GET', `${path}?nights=3`)).toMatchObject({
      status: 200,
      text: '{"nights":3,"from":null,"seen":"- none false","total":"30.00"}',
    })
    expect(
      (
        await call(
          'GET',
          `${path}?nights=3&coupon=null&board=half&breakfast=true&from=2030-01-01T00:00:00%2B01:00`,
        )
      ).json,
    ).toEqual({ nights: 3, from: '2029-12-31T23:00:00Z', seen: 'null half true', total: '30.00' })
    for (const [query, message] of [
      ['', 'Missing request parameter(s): nights'],
      ['?nights=31', 'Invalid request parameter nights: must be an integer from 1 to 30'],
      ['?nights=x', 'Invalid request parameter nights: must be an integer from 1 to 30'],
      ['?nights=', 'Invalid request parameter nights: must be an integer from 1 to 30'],
      ['?nights=null', 'Invalid request parameter nights: must be an integer from 1 to 30'],
      ['?nights=1&nights=2', 'Invalid request parameter nights: must not be repeated'],
      ['?nights=1&night=2', 'Unknown query parameter night'],
      ['?nights=1&total=2', 'Unknown query parameter total'],
      ['?nights=1&board=full', 'Invalid request parameter board: must be one of none, half'],
    ] as const)
      expect(await get(`${path}${query}`), query).toBe(error(message))
    expect((await call('DELETE', `/home/${home}/touch?reason=why`)).text).toBe('{"reason":"why"}')
    expect((await call('DELETE', `/home/${home}/touch`)).text).toBe('{"reason":null}')
  })

  test('are read from the body, which a PATCH also has completely', async () => {
    const path = `/home/${home}/rate`
    expect((await call('PATCH', path, { rate: 1, note: 'new' })).text).toBe('{"rate":"1.00","note":"new"}')
    expect((await call('PATCH', path, { note: 'new' })).text).toBe(
      error('Missing request parameter(s): rate'),
    )
    expect((await call('PATCH', path, { rate: '1.234' })).status).toBe(400)
    expect((await call('PATCH', path, '[]')).text).toBe(error('Invalid request body: must be a JSON object'))
    expect((await call('PATCH', path, { rate: 1, note: 'longer' })).text).toBe(
      error('Invalid request parameter note: must have at most 5 characters'),
    )
  })

  test('are read from the path', async () => {
    const path = `/home/${home}/cover/${photo}`
    expect((await call('GET', `${path}/1`)).json).toEqual({ id: photo, image: 'AAE=' })
    expect(await get(`${path}/x`)).toBe(
      error('Invalid request parameter number: must be an integer from 0 to 9'),
    )
    expect(await get(`/home/nobody/quote?nights=1`)).toBe(error('Invalid id: nobody'))
    expect(await get(`/home/near/${'x'.repeat(81)}`)).toBe(
      error('Invalid request parameter place: must have at most 80 characters'),
    )
  })
})

describe('an endpoint', () => {
  test('checks the token, the request, the role, access and references, in this order', async () => {
    const nobody = randomUUID()
    const owner = idOf(await call('POST', '/person', { name: 'Ann' }))
    const agent = { as: OTHER, roles: ['agent'] }
    const path = `/home/${nobody}/owner`
    expect(await platform.call('PUT', '/home/x/owner')).toMatchObject({ status: 401 })
    expect(await call('PUT', path, { owner: 'x' })).toMatchObject({ status: 400 })
    expect(await call('PUT', path, { owner: nobody })).toMatchObject({ status: 403 })
    expect((await call('PUT', path, { owner: nobody }, agent)).text).toBe(error(`Unknown Person: ${nobody}`))
    expect((await call('PUT', path, { owner }, agent)).json).toEqual({ owner })

    const link = (id: string, body: object, as = OWNER) => call('POST', `/home/${id}/link`, body, { as })
    expect((await link(nobody, { other: nobody })).text).toBe(error(`Home not found: ${nobody}`))
    expect(await link(home, { other: nobody }, OTHER)).toMatchObject({ status: 403 })
    expect((await link(home, { other: nobody })).text).toBe(error(`Unknown Home: ${nobody}`))
    expect((await link(home, { other: home, owner: nobody })).text).toBe(error(`Unknown Person: ${nobody}`))
    expect((await link(home, { other: home })).json).toEqual({ other: home, owner: null })
    expect(await get(`/home/${nobody}/quote?nights=1`)).toBe(error(`Home not found: ${nobody}`))
    expect(await call('GET', `/home/${home}/quote?nights=1`, undefined, { as: OTHER })).toMatchObject({
      status: 200,
    })
  })

  test('is refused by its handler', async () => {
    const path = `/home/${home}/quote?nights=1&coupon=`
    expect(await call('GET', `${path}none`)).toMatchObject({ status: 409, text: error('No such coupon') })
    expect(await call('GET', `${path}broken`)).toMatchObject({
      status: 500,
      text: error('Internal server error'),
    })
    expect(await call('GET', `/home/${home}/cover/${photo}/0`)).toMatchObject({ status: 418 })
  })

  test('needs no token if it is public', async () => {
    const text = ' {"kind": "ping", "more": "ü"}'
    const send = (headers: Record<string, string>) =>
      platform.call('POST', '/home/webhook', { body: text, headers })
    for (const headers of [{}, { authorization: 'Bearer x' }])
      expect(await send(headers)).toMatchObject({ status: 202, json: { bytes: text, user: null } })
    const authorization = await platform.authorization(OWNER)
    expect(await send({ authorization })).toMatchObject({ json: { bytes: text, user: OWNER } })
    expect(await platform.call('POST', '/home/webhook', { body: {} })).toMatchObject({ status: 400 })
    expect((await platform.call('GET', `/home/${home}/here`)).json).toEqual({ title: 'Loft' })
    for (const [method, path] of [
      ['GET', '/home/webhook'],
      ['POST', '/home/webhook/x'],
      ['POST', `/home/${home}/here`],
      ['GET', `/home/${home}/quote`],
      ['GET', `/home/${home}`],
    ] as const)
      expect(await platform.call(method, path), `${method} ${path}`).toMatchObject({ status: 401 })
  })

  test('that is public opens no route of setup.ts or setup.go', async () => {
    expect(await platform.call('GET', '/home/own/here')).toMatchObject({ status: 401 })
    expect((await call('GET', '/home/own/here')).json).toEqual({ user: OWNER })
  })

  test('whose path has text comes before those with parameters', async () => {
    expect((await call('GET', '/home/near/here')).json).toMatchObject({ title: 'Here' })
    expect(await platform.call('GET', '/home/near/here')).toMatchObject({ status: 401 })
    expect((await call('GET', `/home/near/${home}`)).json).toEqual({
      HomeList: [{ id: home, title: 'Loft' }],
    })
    expect(await call('PUT', '/home/webhook', { title: 'x' })).toMatchObject({ status: 400 })
    const answer = await call('PUT', `/home/${home}/quote`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD'])
  })

  test('returns pages', async () => {
    const first = await call('GET', `/home/near/${home}?limit=1`)
    expect(first.headers.get('link')).toBe(
      `</api/home/near/${home}?limit=1&after=a%26b%3D%C3%BC>; rel="next"`,
    )
    const last = await call('GET', `/home/near/${home}?limit=1&after=a%26b%3D%C3%BC`)
    expect(last).toMatchObject({ status: 200, json: { HomeList: [] } })
    expect(last.headers.get('link')).toBeNull()
    expect(await get(`/home/near/${home}?limit=0`)).toBe(
      error('Invalid request parameter limit: must be at least 1'),
    )
    expect(await get(`/home/near/${home}?page=1`)).toBe(error('Unknown query parameter page'))

    const words = `${home} ${photo}`
    const found = await call('POST', '/home/search?after=x', { words })
    expect(found).toMatchObject({ status: 200, json: { PhotoList: [{ id: photo, image: 'AAE=' }] } })
    expect(found.headers.get('link')).toBe('</api/home/search?after=1000+x&limit=1000>; rel="next"')
    expect(await call('POST', '/home/search?limit=1001', { words })).toMatchObject({ status: 400 })
  })

  test('responds with what is declared, outside of production', async () => {
    expect((await call('GET', '/home/wrong/none')).json).toEqual({ code: 'ok', at: '2030-01-02T03:04:05Z' })
    for (const [how, problem] of [
      ['long', /The response of Wrong is not what is declared: code must have at most 3 characters/i],
      [
        'local',
        /The response of Wrong is not what is declared: at must be written as "?2030-01-02T02:04:05Z/i,
      ],
    ] as const) {
      expect(await call('GET', `/home/wrong/${how}`)).toMatchObject({ status: 500 })
      await expect
        .poll(() => platform.services.get('home')?.output.text.replaceAll('\\"', '"'))
        .toMatch(problem)
    }
  })

  test('has a label of its own in metrics', async () => {
    await call('GET', `/home/${home}/quote?nights=1`)
    const response = await fetch(`${platform.services.get('home')?.metricsUrl}/metrics`)
    expect(await response.text()).toMatch(/"quoteHome"/)
  })

  test('is called by other services', async () => {
    expect((await call('GET', `/agency/calls/${home}/${photo}`)).json).toEqual({
      quote: { nights: 2, from: null, seen: 'a/b & half false', total: '20.00' },
      near: ['Loft'],
      webhook: true,
      search: [true],
      cover: true,
      adjust: { rate: '1.50', note: null },
      touch: { reason: 'null' },
      missing: null,
      refused: 'Invalid request parameter nights: must be an integer from 1 to 30',
    })
  })
})

describe('a handler', () => {
  const definition = `Shop: project {}
Thing: service { name: string; Ping: endpoint { #get("ping"); text: string; } Pong: endpoint { #get("pong"); } }`

  test('responds with 501 until it is written', async () => {
    const shop = await runPlatform(definition)
    expect(await shop.call('GET', '/thing/ping?text=x')).toMatchObject({
      status: 501,
      text: error('Not implemented'),
    })
    expect(await shop.call('GET', '/thing/ping')).toMatchObject({ status: 400 })
    await shop.stop()
  })

  test('that is missing keeps the service from starting', async () => {
    const thing = inLanguage({
      typescript: `import { type Env, HookError } from './hooks.ts'
export default function setup(env: Env): void {
  env.endpoints.ping(() => new HookError(418, 'Ping'))
}
`,
      go: `package main

import (
	"context"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Endpoints.Ping.Handle(platform.NotImplemented)
	return nil
}
`,
    })
    await expect(runPlatform(definition, { setup: { thing } })).rejects.toThrow(
      inLanguage({
        typescript: 'Endpoints without a handler: register them in setup.ts with env.endpoints.pong(...)',
        go: 'endpoints without a handler: register them in setup.go with env.Endpoints.Pong.Handle(...)',
      }),
    )
  })
})
