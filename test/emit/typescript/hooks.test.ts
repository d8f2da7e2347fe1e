import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFINITION, HOME_SETUP, PERSON_SETUP } from './hooks-fixture.ts'
import { inLanguage } from '../platform.ts'
import { idOf, newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const [ann, bob] = [newUser(), newUser()]

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { home: HOME_SETUP, person: PERSON_SETUP } })
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
    ['message', 402, 'Not paid'],
    ['text', 500, 'Internal server error'],
    ['failed statement', 500, 'Internal server error'],
  ])('that %s end the request, and nothing is stored', async (address, status, error) => {
    const count = () => platform.sql('home')`select from home`
    const before = (await count()).length
    const answer = await call('POST', '/home', home({ address }))
    expect([answer.status, answer.json]).toEqual([status, { error }])
    expect(await count()).toHaveLength(before)
  })

  test('that crash are in the log with their reason', async () => {
    const output = () => platform.services.get('home')?.output.text ?? ''
    await expect.poll(output).toContain('a secret of ours')
    expect(output()).not.toContain('s3cret')
    // What was thrown is not an error, but the request is in the log and has its id.
    const thrown = await call('POST', '/home', home({ address: 'text' }))
    await expect.poll(output).toContain(thrown.headers.get('x-request-id'))
  })

  test('run once when a statement fails that cannot succeed', async () => {
    const runs = () =>
      platform.services
        .get('home')
        ?.log()
        .filter(({ message }) => message === 'statement fails').length ?? 0
    await expect.poll(runs).toBeGreaterThan(0)
    const before = runs()
    await call('POST', '/home', home({ address: 'failed statement' }))
    await call('POST', '/home', home({ address: 'logged last' }))
    await expect.poll(() => platform.services.get('home')?.output.text).toContain('committed logged last!')
    expect(runs()).toBe(before + 1)
  })

  test('can end the request with a response of their own', async () => {
    const answer = await call('POST', '/home', home({ address: 'response' }))
    // Go has errors with headers, but no responses that are thrown.
    const text = inLanguage({ typescript: 'Slow down', go: '{"error":"Slow down"}' })
    expect([answer.status, answer.headers.get('retry-after'), answer.text]).toEqual([429, '7', text])
  })

  test('log with the id of the request', async () => {
    const headers = { 'x-request-id': 'request-of-the-client' }
    await platform.call('POST', '/home', { as: ann, body: home({ address: 'logged' }), headers })
    const generated = await call('POST', '/home', home({ address: 'logged too' }))
    const idIn = (message: string) =>
      platform.services
        .get('home')
        ?.log()
        .find((line) => line.message === message)?.['requestId']
    await expect.poll(() => idIn('committed logged!')).toBe('request-of-the-client')
    await expect.poll(() => idIn('committed logged too!')).toBe(generated.headers.get('x-request-id'))
    expect(generated.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
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

  test('see a long list in batches, and break the response if one of the later ones fails', async () => {
    const insert = (count: number, address: string) =>
      platform.sql('home')`
        insert into home (id, _owner, address, rate, plan, secret, listed_at)
        select uuidv7(), ${ann}, ${address}, 1, '', '', now() from generate_series(1, ${count}::int)`
    await platform.sql('home')`delete from home`
    await insert(2500, 'long')
    await seen()
    const { HomeList } = (await call('GET', '/home/all')).json as { HomeList: { id: string; rate: number }[] }
    expect(HomeList).toHaveLength(2500)
    expect(new Set(HomeList.map(({ rate }) => rate))).toEqual(new Set([8]))
    expect(await seen()).toEqual([
      ['afterList', 1000],
      ['afterList', 1000],
      ['afterList', 500],
    ])
    await insert(1, 'broken')
    await expect(call('GET', '/home/all')).rejects.toThrow()
    await platform.sql('home')`delete from home where address = 'long'`
    expect(await call('GET', '/home/all')).toMatchObject({ status: 418, json: { error: 'broken' } })
    await platform.sql('home')`delete from home`
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

  test('do not notice that such a function fails', async () => {
    const answer = await call('POST', '/home', home({ address: 'failing callback' }))
    expect(answer.status).toBe(201)
    expect(await platform.sql('home')`select from home where id = ${idOf(answer)}`).toHaveLength(1)
    const log = () => platform.services.get('home')?.log() ?? []
    const name = inLanguage({ typescript: 'afterCommit', go: 'AfterCommit' })
    await expect
      .poll(() => log().find(({ message }) => message === `A function registered with ${name} failed`))
      .toMatchObject({
        level: 'error',
        requestId: answer.headers.get('x-request-id'),
        err: { message: 'No mail server' },
      })
    // Those that were registered later run.
    await expect.poll(() => log().map(({ message }) => message)).toContain('committed failing callback!')
  })

  test('leave connections to others, however many run at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('POST', '/home', home())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })

  test('share the connection with transactions that the hook opens', async () => {
    const coupon = randomUUID()
    const body = home({ address: 'transaction', coupon })
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/home', body)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(await platform.sql('home')`select from home where address = ${coupon}`).toHaveLength(20)
  })
})

describe('a transaction of a route', () => {
  const stored = (address: string) => platform.sql('home')`select from home where address = ${address}`
  const logged = () => platform.services.get('home')?.output.text

  test('stores everything, with that of transactions in it', async () => {
    expect((await call('POST', '/home/transaction/stored')).status).toBe(200)
    expect(await stored('stored')).toHaveLength(2)
    await expect.poll(logged).toContain('committed route stored')
  })

  test('that throws stores nothing, and its callbacks do not run', async () => {
    const answer = await call('POST', '/home/transaction/thrown')
    expect([answer.status, answer.json]).toEqual([418, { error: 'thrown' }])
    expect(await stored('thrown')).toHaveLength(0)
    await call('POST', '/home/transaction/after-thrown')
    await expect.poll(logged).toContain('committed route after-thrown')
    expect(logged()).not.toContain('committed route thrown')
  })

  test('is not needed for afterCommit, which then calls the function at once', async () => {
    expect((await call('POST', '/home/after-commit')).json).toEqual(['callback', 'route'])
  })

  test('that is used through the `env` of `setup` needs no second connection', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => call('POST', '/home/outer-datastore')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
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

  test('check access like generated ones', async () => {
    const id = idOf(await call('POST', '/home', home()))
    const outcomes = async (as: string, of = id) => {
      const kinds = ['read', 'write', 'read-photos', 'write-photos']
      return Promise.all(
        kinds.map(async (kind) => (await call('GET', `/home/${of}/access/${kind}`, undefined, as)).status),
      )
    }
    expect(await outcomes(ann)).toEqual([200, 200, 200, 200])
    expect(await outcomes(bob)).toEqual([200, 403, 200, 403])
    expect(await outcomes(ann, randomUUID())).toEqual([404, 404, 404, 404])
    expect(await outcomes(ann, 'malformed')).toEqual([404, 404, 404, 404])
    const nobody = randomUUID()
    const foreign = await call('GET', `/home/${id}/access/write`, undefined, bob)
    const missing = await call('GET', `/home/${nobody}/access/write-photos`)
    expect([foreign.json, missing.json]).toEqual([
      { error: 'Forbidden' },
      { error: `Home not found: ${nobody}` },
    ])
  })

  test('below a public path need no token, but know the caller of a valid one', async () => {
    const send = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      const answer = await platform.call('POST', '/person/webhook/mail', { headers })
      return [answer.status, answer.json]
    }
    expect(await send()).toEqual([200, { caller: null }])
    expect(await send(await platform.authorization(ann))).toEqual([200, { caller: ann }])
    const forged = `${(await platform.authorization(ann)).slice(0, -8)}AAAAAAAA`
    for (const invalid of [forged, 'Bearer x', 'Basic eDp4'])
      expect(await send(invalid)).toEqual([200, { caller: null }])
  })

  test.each([
    ['POST', '/person'],
    ['GET', '/person/webhook'],
    ['GET', '/person/webhook/unknown'],
    ['POST', '/person/webhooks'],
  ])('do not make %s %s public', async (method, path) => {
    const headers = { authorization: 'Bearer x' }
    for (const sent of [{}, { headers }]) {
      const answer = await platform.call(method, path, { ...sent, ...(method === 'POST' && { body: {} }) })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
  })

  test('count in Allow', async () => {
    const answer = await call('POST', '/home/special')
    const allowed = answer.headers.get('allow')?.split(', ').sort()
    expect([answer.status, allowed]).toEqual([405, ['DELETE', 'GET', 'HEAD', 'PATCH', 'PROPFIND', 'PUT']])
    expect((await call('PROPFIND', '/home/special')).text).toBe('special')
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
