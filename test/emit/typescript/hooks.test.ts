import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idOf, newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Hooked: project { #authMethod(email); }
Person: service { name: string; #auth; }
Home: service {
  address: string;
  rate: float;
  plan: data;
  coupon: string @client;
  secret: string @server;
  listedAt: datetime @serverSet;

  Photo: struct { caption: string; views: int @serverSet; #enumerable; }

  #readable(by: all);
  #enumerable;
}
`
const SETUP = `import { type Env, HookError, type Router } from './hooks.ts'

const seen: unknown[] = []

export default async function setup(env: Env, router: Router): Promise<void> {
  const { hooks } = env
  hooks.beforeCreate(async (hookEnv, request, input, caller) => {
    seen.push(['beforeCreate', hookEnv !== env, request.coupon, { ...input, plan: [...input.plan], id: 0 }, caller.id])
    if (request.address === 'throw') throw new HookError(418, 'thrown')
    if (request.address === 'return') return new HookError(422, 'returned')
    if (request.address === 'crash') throw new Error('a secret of ours')
    if (request.address === 'bad status') throw new HookError(99, 'x')
    if (request.address === 'unavailable rate') input.rate = Number.NaN
    input.listedAt = '2020-01-01T00:00:00.5Z'
    input.secret = 'set'
    input.address = input.address.trim()
  })
  hooks.beforeCreate((_env, _request, input) => {
    input.address += '!'
  })
  hooks.afterCreate(async (hookEnv, home) => {
    hookEnv.afterCommit(() => env.log.info('committed ' + home.address.toLowerCase()))
    if (home.address === 'refuse after!') {
      await hookEnv.datastore.createPhoto({ parentId: home.id, caption: 'rolled back', views: 0 })
      throw new HookError(409, 'after create')
    }
    home.address = home.address.toUpperCase()
    seen.push(['afterCreate', home.secret])
  })
  hooks.beforeRead((_env, input, caller) => {
    seen.push(['beforeRead', input.id, caller.id])
  })
  hooks.afterRead((_env, home) => {
    if (home.address === 'fail after!') throw new HookError(409, 'after')
    home.rate = 7
  })
  hooks.beforeUpdate(async (_env, request, input) => {
    const current = await env.datastore.readHome({ id: input.id })
    seen.push(['beforeUpdate', current?.address, request.coupon, input.listedAt])
    if (request.address === 'elsewhere') input.id = request.coupon
    if (request.coupon === 'stamp') input.listedAt = '2021-01-01T00:00:00Z'
  })
  hooks.afterUpdate((_env, home) => {
    home.address = 'after update'
  })
  hooks.beforeDelete((_env, input) => {
    seen.push(['beforeDelete', input.id])
  })
  hooks.afterDelete((_env, id) => {
    seen.push(['afterDelete', id])
  })
  hooks.beforeList((_env, input) => {
    if (input.limit === 999) input.limit = 1
  })
  hooks.afterList((_env, homes) => {
    for (const home of homes) home.rate = 8
    homes.reverse()
  })
  hooks.photo.beforeCreate((_env, request, input) => {
    seen.push(['photo.beforeCreate', input.parentId, input.views])
    if (request.caption.startsWith('move ')) input.parentId = request.caption.slice(5)
    input.views = 3
  })
  hooks.photo.afterRead((_env, photo) => {
    photo.caption += photo.parentId
  })

  router.get('/home/:id/custom-endpoint', async (c) => {
    const home = await env.datastore.readHome({ id: c.req.param('id') })
    return home ? c.json({ address: home.address, caller: c.var.caller.id }) : c.var.fail(404, 'No such home')
  })
  router.patch('/home/special', (c) => c.text('special'))
  router.get('/home/all/seen', (c) => c.json(seen.splice(0)))
  router.post('/home/datastore', async (c) => {
    const { datastore } = env
    const rest = { address: 'a', rate: 1, plan: Buffer.of(1), secret: 's', listedAt: '2020-01-01T00:00:00Z' }
    const home = await datastore.createHome(rest, c.var.caller)
    const photo = await datastore.createPhoto({ parentId: home.id, caption: 'c', views: 1 })
    const orphan = await datastore.createPhoto({ parentId: c.var.caller.id, caption: 'c', views: 1 })
    const updated = await datastore.updateHome({ ...rest, id: home.id, address: 'b' })
    const lookup = { id: photo?.id ?? '', parentId: home.id }
    const result = {
      secret: home.secret,
      orphan: orphan ?? null,
      updated: updated?.address,
      photo: (await datastore.readPhoto(lookup))?.caption,
      photos: (await datastore.listPhoto({ parentId: home.id })).length,
      homes: (await datastore.listHome({ limit: 1 })).length,
      malformed: [
        await datastore.readHome({ id: 'x' }),
        await datastore.updateHome({ ...rest, id: 'x' }),
        await datastore.deleteHome({ id: 'x' }),
        await datastore.deletePhoto({ id: lookup.id, parentId: 'x' }),
      ].filter((value) => value !== undefined).length,
      deletedPhoto: (await datastore.deletePhoto(lookup)) === lookup.id,
      deleted: (await datastore.deleteHome({ id: home.id })) === home.id,
      gone: (await datastore.readHome({ id: home.id })) ?? null,
    }
    return c.json(result)
  })
}
`
const [ann, bob] = [newUser(), newUser()]

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { home: SETUP } })
})
afterAll(() => platform.stop())

const home = (changes: Record<string, unknown> = {}) => ({
  address: ' street ',
  rate: 1,
  plan: 'AAE=',
  coupon: 'c',
  ...changes,
})
const call = (method: string, path: string, body?: unknown, as = ann) =>
  platform.call(method, path, { as, body })
/** What the hooks saw since the last time. */
async function seen(): Promise<unknown> {
  return (await call('GET', '/home/all/seen')).json
}

describe('hooks', () => {
  test('around a create: before-hooks change what is stored, after-hooks the answer', async () => {
    await seen()
    const answer = await call('POST', '/home', home())
    const id = idOf(answer)
    const entity = { id, address: 'STREET!', rate: 1, plan: 'AAE=', listedAt: '2020-01-01T00:00:00.5Z' }
    expect([answer.status, answer.json]).toEqual([201, entity])
    expect(await seen()).toEqual([
      [
        'beforeCreate',
        true,
        'c',
        { id: 0, address: ' street ', rate: 1, plan: [0, 1], secret: '', listedAt: '0001-01-01T00:00:00Z' },
        ann,
      ],
      ['afterCreate', 'set'],
    ])
    const read = await call('GET', `/home/${id}`)
    expect(read.json).toEqual({ ...entity, address: 'street!', rate: 7 })
    expect(await seen()).toEqual([['beforeRead', id, ann]])
    expect(await platform.sql('home')`select rate, secret from home where id = ${id}`).toMatchObject([
      { rate: 1, secret: 'set' },
    ])
  })

  test.each([
    ['throw', 418, 'thrown'],
    ['return', 422, 'returned'],
    ['crash', 500, 'Internal server error'],
    ['bad status', 500, 'Internal server error'],
  ])('that %s end the request, and nothing is stored', async (address, status, error) => {
    const count = () => platform.sql('home')`select from home`
    const before = (await count()).length
    const answer = await call('POST', '/home', home({ address }))
    expect([answer.status, answer.json]).toEqual([status, { error }])
    expect(await count()).toHaveLength(before)
  })

  test('that crash are in the log with their reason', async () => {
    await expect.poll(() => platform.services.get('home')?.output.text).toContain('a secret of ours')
  })

  test('whose value breaks a check are at fault', async () => {
    const answer = await call('POST', '/home', home({ address: 'unavailable rate' }))
    expect([answer.status, answer.json]).toEqual([500, { error: 'Internal server error' }])
  })

  test('after an operation change the answer by their error, and what was stored stays', async () => {
    const id = idOf(await call('POST', '/home', home({ address: 'fail after' })))
    const answer = await call('GET', `/home/${id}`)
    expect([answer.status, answer.json]).toEqual([409, { error: 'after' }])
  })

  test('around an update: what they leave undefined stays, a changed id meets access', async () => {
    const id = idOf(await call('POST', '/home', home()))
    const his = idOf(await call('POST', '/home', home(), bob))
    await seen()
    const answer = await call('PUT', `/home/${id}`, home({ address: 'x' }))
    expect(answer.json).toMatchObject({ address: 'after update', listedAt: '2020-01-01T00:00:00.5Z' })
    expect(await seen()).toEqual([['beforeUpdate', 'street!', 'c', null]])
    const stamped = await call('PUT', `/home/${id}`, home({ coupon: 'stamp' }))
    expect(stamped.json).toMatchObject({ listedAt: '2021-01-01T00:00:00Z' })
    const elsewhere = await call('PUT', `/home/${id}`, home({ address: 'elsewhere', coupon: his }))
    expect([elsewhere.status, elsewhere.json]).toEqual([403, { error: 'Forbidden' }])
    const nobody = randomUUID()
    const nowhere = await call('PUT', `/home/${id}`, home({ address: 'elsewhere', coupon: nobody }))
    expect([nowhere.status, nowhere.json]).toEqual([404, { error: `Home not found: ${nobody}` }])
  })

  test('do not run for a caller without access', async () => {
    const id = idOf(await call('POST', '/home', home()))
    await seen()
    expect((await call('PUT', `/home/${id}`, home(), bob)).status).toBe(403)
    expect((await call('DELETE', `/home/${id}`, undefined, bob)).status).toBe(403)
    expect((await call('GET', `/home/${randomUUID()}`)).status).toBe(404)
    expect((await call('POST', `/home/${id}/photo`, { caption: '' }, bob)).status).toBe(403)
    expect(await seen()).toEqual([])
  })

  test('around a delete get the id', async () => {
    const id = idOf(await call('POST', '/home', home()))
    await seen()
    expect((await call('DELETE', `/home/${id}`)).json).toEqual({})
    expect(await seen()).toEqual([
      ['beforeDelete', id],
      ['afterDelete', id],
    ])
  })

  test('around a list see all of it', async () => {
    const first = await call('GET', '/home/all?limit=2')
    expect(first.headers.get('link')).toMatch(/^<\/api\/home\/all\?limit=2&after=[0-9a-f-]{36}>; rel="next"$/)
    const { HomeList } = first.json as { HomeList: { id: string; rate: number }[] }
    expect(HomeList.map(({ rate }) => rate)).toEqual([8, 8])
    expect(HomeList[0]?.id.localeCompare(HomeList[1]?.id ?? '')).toBe(1)
    expect(HomeList[0]).not.toHaveProperty('secret')
    const changed = (await call('GET', '/home/all?limit=999')).json as { HomeList: unknown[] }
    expect(changed.HomeList).toHaveLength(1)
  })

  test('of a struct see the parent, and a changed one meets access', async () => {
    const mine = idOf(await call('POST', '/home', home()))
    const his = idOf(await call('POST', '/home', home(), bob))
    await seen()
    const photo = await call('POST', `/home/${mine}/photo`, { caption: 'x' })
    expect(photo.json).toEqual({ id: idOf(photo), caption: 'x', views: 3 })
    expect(await seen()).toEqual([['photo.beforeCreate', mine, 0]])
    expect((await call('GET', `/home/${mine}/photo/${idOf(photo)}`)).json).toMatchObject({
      caption: `x${mine}`,
    })
    expect((await call('POST', `/home/${mine}/photo`, { caption: `move ${his}` })).status).toBe(403)
    const other = idOf(await call('POST', '/home', home()))
    const moved = await call('POST', `/home/${mine}/photo`, { caption: `move ${other}` })
    expect(moved.headers.get('location')).toBe(`/api/home/${other}/photo/${idOf(moved)}`)
  })
})

describe('a hook and its write', () => {
  test('are one transaction: what an after-hook refuses is not stored', async () => {
    const count = async () => (await platform.sql('home')`select from home`).length
    const before = await count()
    const answer = await call('POST', '/home', home({ address: 'refuse after' }))
    expect([answer.status, answer.json]).toEqual([409, { error: 'after create' }])
    expect(await count()).toBe(before)
    expect(await platform.sql('home')`select from photo where caption = 'rolled back'`).toHaveLength(0)
  })

  test('run functions registered with afterCommit only once it is committed', async () => {
    await call('POST', '/home', home({ address: 'refuse after' }))
    await call('POST', '/home', home({ address: 'commit' }))
    await expect.poll(() => platform.services.get('home')?.output.text).toContain('committed commit!')
    expect(platform.services.get('home')?.output.text).not.toContain('committed refuse')
  })

  test('leave connections to others, however many run at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('POST', '/home', home())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })
})

describe('routes of the user’s', () => {
  test('come first, with data access, caller and the error body', async () => {
    const id = idOf(await call('POST', '/home', home()))
    const answer = await call('GET', `/home/${id}/custom-endpoint`)
    expect([answer.status, answer.json]).toEqual([200, { address: 'street!', caller: ann }])
    const missing = await call('GET', `/home/${randomUUID()}/custom-endpoint`)
    expect([missing.status, missing.json]).toEqual([404, { error: 'No such home' }])
    const anonymous = await platform.call('GET', `/home/${id}/custom-endpoint`)
    expect([anonymous.status, anonymous.json]).toEqual([401, { error: 'Unauthorized' }])
  })

  test('count in Allow', async () => {
    const answer = await call('POST', '/home/special')
    const allowed = answer.headers.get('allow')?.split(', ').sort()
    expect([answer.status, allowed]).toEqual([405, ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']])
    expect((await call('PATCH', '/home/special')).text).toBe('special')
    expect((await call('DELETE', `/home/${randomUUID()}/custom-endpoint`)).headers.get('allow')).toBe(
      'GET, HEAD',
    )
  })

  test('reach every method of the data access', async () => {
    expect((await call('POST', '/home/datastore')).json).toEqual({
      secret: 's',
      orphan: null,
      updated: 'b',
      photo: 'c',
      photos: 1,
      homes: 1,
      malformed: 0,
      deletedPhoto: true,
      deleted: true,
      gone: null,
    })
  })
})
