import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Types: project {}

Thing: service {
  flag: bool;
  text: string(5, 2);
  small: int(100, 1);
  big: int(precision: 8);
  single: float(max: 0.1, precision: 4);
  double: float;
  day: date;
  clock: time;
  moment: datetime;
  bytes: data(4);
  constructor: string;
  secret: string @server;
  seen: datetime @serverSet;
  typed: string(3) @client;
  code: string @unique;
  #enumerable;
}

Empty: service {
  count: int @serverSet;
}
`

const VALID = {
  flag: true,
  text: 'abc',
  small: 1,
  big: 5,
  single: 0.1,
  double: 1.5,
  day: '2024-02-29',
  clock: '23:59:59.999999',
  moment: '2024-01-01T00:30:00.120300+01:00',
  bytes: 'AAE=',
  constructor: 'c',
  typed: 'x',
  code: 'first',
}

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION)
})
afterAll(() => platform.stop())

let codes = 0
/** Creates a thing, valid but for the changes. */
function create(changes: Record<string, unknown> = {}): Promise<Answer> {
  return platform.call('POST', '/thing', { body: { ...VALID, code: `code ${codes++}`, ...changes } })
}
/** The same from the text that stands for a value. */
function createWith(attribute: string, text: string): Promise<Answer> {
  const body = JSON.stringify({ ...VALID, code: `code ${codes++}`, [attribute]: '@@' }).replace('"@@"', text)
  return platform.call('POST', '/thing', { body })
}

describe('the operations of a service', () => {
  test('create answers 201 with the entity, id first, in the order of the definition', async () => {
    const answer = await create()
    expect(answer.status).toBe(201)
    const id = idOf(answer)
    expect(answer.headers.get('location')).toBe(`/api/thing/${id}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.text).toBe(
      `{"id":"${id}","flag":true,"text":"abc","small":1,"big":5,"single":0.1,"double":1.5,"day":"2024-02-29",` +
        `"clock":"23:59:59.999999","moment":"2023-12-31T23:30:00.1203Z","bytes":"AAE=","constructor":"c",` +
        `"seen":"0001-01-01T00:00:00Z","code":"code 0"}`,
    )
  })

  test('read answers what create did, for an id of either case', async () => {
    const created = await create()
    const id = idOf(created)
    const read = await platform.call('GET', `/thing/${id.toUpperCase()}`)
    expect(read.status).toBe(200)
    expect(read.text).toBe(created.text)
    expect(read.headers.get('cache-control')).toBe('no-store')
  })

  test('list answers each entity as read does', async () => {
    const changes = {
      big: -9007199254740991,
      moment: '0001-01-01T00:00:00.000001Z',
      bytes: '/+8=',
      double: 1e22,
    }
    const created = await create(changes)
    const list = await platform.call('GET', '/thing/all')
    expect(list.text).toContain(created.text)
    expect(created.json).toMatchObject(changes)
  })

  test('update replaces what clients send and keeps the rest', async () => {
    const id = idOf(await create())
    await platform.sql(
      'thing',
    )`update thing set seen = '2020-01-02 03:04:05+00', secret = 's' where id = ${id}`
    const answer = await platform.call('PUT', `/thing/${id}`, {
      body: { ...VALID, text: 'neu', code: `code ${codes++}`, id: 'ignored', seen: 'ignored', secret: 1 },
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ id, text: 'neu', seen: '2020-01-02T03:04:05Z' })
    const read = await platform.call('GET', `/thing/${id}`)
    expect(read.text).toBe(answer.text)
    const rows = await platform.sql('thing')`select secret from thing where id = ${id}`
    expect(rows).toMatchObject([{ secret: 's' }])
  })

  test('delete answers {} and the entity is gone', async () => {
    const id = idOf(await create())
    const answer = await platform.call('DELETE', `/thing/${id}`)
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    for (const method of ['GET', 'DELETE']) {
      const gone = await platform.call(method, `/thing/${id}`)
      expect([gone.status, gone.json]).toEqual([404, { error: `Thing not found: ${id}` }])
    }
    const update = await platform.call('PUT', `/thing/${id}`, { body: VALID })
    expect([update.status, update.json]).toEqual([404, { error: `Thing not found: ${id}` }])
  })

  test('ids are UUIDs of version 7 in the order of creation', async () => {
    const ids = []
    for (let count = 0; count < 5; count++) ids.push(idOf(await create()))
    expect(ids.toSorted()).toEqual(ids)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('an operation without attributes accepts an empty body, but no other that is not an object', async () => {
    const created = await platform.call('POST', '/empty')
    expect([created.status, created.json]).toEqual([201, { id: idOf(created), count: 0 }])
    const id = idOf(created)
    expect((await platform.call('PUT', `/empty/${id}`)).status).toBe(200)
    expect((await platform.call('PUT', `/empty/${id}`, { body: '{"count":5}' })).json).toEqual({
      id,
      count: 0,
    })
    expect((await platform.call('PUT', `/empty/${id}`, { body: '[]' })).status).toBe(400)
  })

  test('HEAD answers as GET without a body', async () => {
    const id = idOf(await create())
    for (const path of [`/thing/${id}`, '/thing/all']) {
      const answer = await platform.call('HEAD', path)
      expect([answer.status, answer.text]).toEqual([200, ''])
    }
  })

  test.each([
    ['PATCH', '/thing', 405, 'POST'],
    ['OPTIONS', '/thing', 405, 'POST'],
    ['OPTIONS', '/thing/all', 405, 'GET, HEAD'],
    ['POST', '/thing/0190a000-0000-7000-8000-000000000000', 405, 'GET, HEAD, PUT, PATCH, DELETE'],
    ['GET', '/thing/a/b', 404, null],
    ['GET', '/thing/', 404, null],
    ['GET', '/empty/all', 400, null],
  ])('%s %s is %i', async (method, path, status, allow) => {
    const answer = await platform.call(method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
    expect(answer.json).toHaveProperty('error')
  })

  test('a taken unique value leaves the connections to the database open', async () => {
    const connections = async () =>
      (
        await platform.sql('thing')<{ pid: number }[]>`select pid from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() order by pid`
      ).map(({ pid }) => pid)
    const body = { ...VALID, code: 'taken again and again' }
    await platform.call('POST', '/thing', { body })
    const before = await connections()
    for (let turn = 0; turn < 5; turn++)
      expect((await platform.call('POST', '/thing', { body })).status).toBe(409)
    expect(await connections()).toEqual(before)
  })

  test('a taken unique value is 409, in create and update, however long it is', async () => {
    const long = 'x'.repeat(10_000)
    const first = await create({ code: long })
    const second = await create({ code: long })
    expect([second.status, second.json]).toEqual([409, { error: 'Duplicate Thing found' }])
    const other = idOf(await create())
    const update = await platform.call('PUT', `/thing/${other}`, { body: { ...VALID, code: long } })
    expect([update.status, update.json]).toEqual([409, { error: 'Duplicate Thing found' }])
    const same = await platform.call('PUT', `/thing/${idOf(first)}`, { body: { ...VALID, code: long } })
    expect(same.status).toBe(200)
  })
})

describe('the values of attributes', () => {
  test.each([
    ['small', '3.0', 3],
    ['small', '3e0', 3],
    ['small', '0.3e1', 3],
    ['small', '30e-1', 3],
    ['small', '100', 100],
    ['big', '9007199254740991', 9007199254740991],
    ['big', '-9007199254740991', -9007199254740991],
    ['big', '-0', 0],
    ['big', '-0.0', 0],
    ['double', '-0', 0],
    ['double', '1e308', 1e308],
    ['double', '5e-324', 5e-324],
    ['double', '1e-400', 0],
    ['single', '0.1', 0.1],
    ['single', '0.100000001', 0.1],
    ['single', '-3.4e38', -3.4e38],
    ['text', '"\\ud83d\\ude00\\ud83d\\ude00"', '😀😀'],
    ['text', '"\\ud83d\\ude00aaaa"', '😀aaaa'],
    ['text', '"\\u2028\\""', '\u2028"'],
    ['day', '"0001-01-01"', '0001-01-01'],
    ['day', '"9999-12-31"', '9999-12-31'],
    ['clock', '"00:00:00.100000"', '00:00:00.1'],
    ['clock', '"01:02:03.000"', '01:02:03'],
    ['moment', '"9999-12-31T23:59:59.999999Z"', '9999-12-31T23:59:59.999999Z'],
    ['moment', '"0001-01-01T00:00:00z"', '0001-01-01T00:00:00Z'],
    ['moment', '"0000-12-31T23:00:00-01:00"', '0001-01-01T00:00:00Z'],
    ['moment', '"2024-03-01t00:00:00.000001+00:01"', '2024-02-29T23:59:00.000001Z'],
    ['bytes', '""', ''],
    ['bytes', '"/+8="', '/+8='],
    ['constructor', '""', ''],
  ])('%s takes %s', async (attribute, text, value) => {
    const answer = await createWith(attribute, text)
    expect(answer.text).toContain('"id"')
    expect(answer.json).toHaveProperty(attribute, value)
    expect((await platform.call('GET', `/thing/${idOf(answer)}`)).json).toHaveProperty(attribute, value)
  })

  test.each([
    ['flag', '"true"'],
    ['flag', '1'],
    ['text', '"a"'],
    ['text', '"\\ud83d\\ude00"'],
    ['text', '"abcdef"'],
    ['text', '"a\\u0000b"'],
    ['text', '"a\\ud800"'],
    ['text', '5'],
    ['small', '0'],
    ['small', '101'],
    ['small', '1.5'],
    ['small', '"1"'],
    ['small', 'true'],
    ['small', '1e400'],
    ['small', '-1e400'],
    ['small', '10e-400'],
    ['big', '9007199254740992'],
    ['big', '9007199254740993'],
    ['big', '1e16'],
    ['double', '1e309'],
    ['double', '"1"'],
    ['single', '1e39'],
    ['single', '0.11'],
    ['day', '"2023-02-29"'],
    ['day', '"0000-01-01"'],
    ['day', '"10000-01-01"'],
    ['day', '"2024-1-1"'],
    ['clock', '"24:00:00"'],
    ['clock', '"23:59:60"'],
    ['clock', '"12:00"'],
    ['clock', '"12:00:00.1234567"'],
    ['moment', '"2024-01-01T00:00:00"'],
    ['moment', '"2024-01-01 00:00:00Z"'],
    ['moment', '"2016-12-31T23:59:60Z"'],
    ['moment', '"0001-01-01T00:00:00+00:01"'],
    ['moment', '"9999-12-31T23:59:59-00:01"'],
    ['moment', '"2024-01-01T00:00:00+24:00"'],
    ['moment', '"2024-02-30T00:00:00Z"'],
    ['moment', '"0000-02-30T00:00:00Z"'],
    ['bytes', '"AAECAwQ="'],
    ['bytes', '"AA"'],
    ['bytes', '"AB=="'],
    ['bytes', '"-_8="'],
    ['bytes', '"AA ="'],
    ['constructor', '{}'],
    ['typed', '"abcd"'],
  ])('%s refuses %s', async (attribute, text) => {
    const answer = await createWith(attribute, text)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringMatching(`^Invalid request parameter ${attribute}: `) })
  })

  test('all missing attributes are named before anything invalid; null is missing', async () => {
    const body = { flag: 'x', text: null, __proto__: { small: 1 } }
    const answer = await platform.call('POST', '/thing', { body })
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        error:
          'Missing request parameter(s): text, small, big, single, double, day, clock, moment, bytes, constructor, typed, code',
      },
    ])
  })

  test('the first invalid attribute in the order of the definition is named', async () => {
    const answer = await platform.call('POST', '/thing', {
      body: { ...VALID, double: 'x', small: 0, text: '' },
    })
    expect(answer.json).toEqual({ error: expect.stringMatching(/^Invalid request parameter text: /) })
  })

  test('SQL in a string stays a string', async () => {
    const sql = `'); drop table thing; --`
    const answer = await create({ constructor: sql, code: `"; ${sql}` })
    expect(answer.json).toMatchObject({ constructor: sql, code: `"; ${sql}` })
    expect((await platform.call('GET', `/thing/${idOf(answer)}`)).status).toBe(200)
  })
})
