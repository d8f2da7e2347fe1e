import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Lists: project {}
Row: service { number: int; #enumerable; }
Blob: service { content: data; hidden: string @server; name: string(5); #enumerable; }
Shelf: service { Book: struct { title: string(20); #enumerable; } }
`
const ROWS = 5000
/** 3 MiB, so that a batch holds two. */
const BLOB_BYTES = 3 * 1024 * 1024
const BLOBS = 7

let platform: RunningPlatform
let shelf: string
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { env: { DATABASE_POOL_SIZE: '2' } })
  await platform.sql('row')`
    insert into row (id, number) select uuidv7(), n from generate_series(1, ${ROWS}::int) n`
  await platform.sql('blob')`
    insert into blob (id, content, hidden, name)
    select uuidv7(), convert_to(repeat('x', ${BLOB_BYTES}), 'utf8'), '', n::text from generate_series(1, ${BLOBS}::int) n`
  const [row] = await platform.sql('shelf')`insert into shelf (id) values (uuidv7()) returning id`
  shelf = String(row?.['id'])
  await platform.sql('shelf')`
    insert into book (id, _parent, title) select uuidv7(), ${shelf}, n from generate_series(1, 2500) n`
})
afterAll(() => platform.stop())

/** The entities of a list and the path of its next page. */
interface Page<Entity> {
  readonly entities: Entity[]
  readonly next: string | undefined
}

async function page<Entity>(path: string, key: string): Promise<Page<Entity>> {
  const { status, json, headers } = await platform.call('GET', path)
  expect(status).toBe(200)
  expect(Object.keys(json as object)).toEqual([key])
  const link = /^<\/api(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')
  return { entities: (json as Record<string, Entity[]>)[key] ?? [], next: link?.[1] }
}

describe('a list', () => {
  test('read whole holds all entities in the order of ids', async () => {
    const { entities, next } = await page<{ id: string; number: number }>('/row/all', 'RowList')
    expect(entities.map(({ number }) => number)).toEqual(Array.from({ length: ROWS }, (_, n) => n + 1))
    expect(entities.map(({ id }) => id).toSorted()).toEqual(entities.map(({ id }) => id))
    expect(next).toBeUndefined()
  })

  test.each([1000, 999, 7])('in pages of %i holds each once', async (limit) => {
    const numbers: number[] = []
    let path: string | undefined = `/row/all?limit=${limit}`
    while (path !== undefined && numbers.length < 5 * limit) {
      const { entities, next }: Page<{ number: number }> = await page(path, 'RowList')
      numbers.push(...entities.map(({ number }) => number))
      expect(entities).toHaveLength(Math.min(limit, ROWS - numbers.length + entities.length))
      path = next
    }
    expect(numbers).toEqual(Array.from({ length: Math.min(5 * limit, ROWS) }, (_, n) => n + 1))
  })

  test('has no next page after the last entity, and accepts `after` without `limit`', async () => {
    const { entities } = await page<{ id: string }>('/row/all', 'RowList')
    const [third, last] = [entities.at(-3)?.id.toUpperCase(), entities.at(-1)?.id]
    expect((await page(`/row/all?limit=2&after=${third}`, 'RowList')).next).toBeUndefined()
    expect((await page(`/row/all?limit=1&after=${third}`, 'RowList')).next).toBeDefined()
    expect((await page(`/row/all?after=${third}`, 'RowList')).entities).toEqual(entities.slice(-2))
    expect((await page(`/row/all?after=${last}`, 'RowList')).entities).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=1.0',
    'limit=',
    'limit=x',
    'limit=1e2',
    'after=',
    'after=1',
  ])('refuses %s', async (query) => {
    const answer = await platform.call('GET', `/row/all?${query}`)
    const [name] = query.split('=')
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringMatching(`^Invalid request parameter ${name}: `) })
  })

  test('of large rows is read in batches of few', async () => {
    const { entities } = await page<{ content: string; name: string }>('/blob/all', 'BlobList')
    expect(entities.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    expect(entities[0]?.content).toHaveLength(Math.ceil(BLOB_BYTES / 3) * 4)
    const first = await page<{ name: string }>('/blob/all?limit=4', 'BlobList')
    expect(first.entities.map(({ name }) => name)).toEqual(['1', '2', '3', '4'])
    const second = await page<{ name: string }>(first.next ?? '', 'BlobList')
    expect(second.entities.map(({ name }) => name)).toEqual(['5', '6', '7'])
    expect(second.next).toBeUndefined()
    expect((await page(`/blob/all?limit=7`, 'BlobList')).next).toBeUndefined()
  })

  test('of entries is read in batches under their parent', async () => {
    const { entities } = await page<{ title: string }>(`/shelf/${shelf}/book/all`, 'BookList')
    expect(entities).toHaveLength(2500)
    const first = await page<{ title: string }>(`/shelf/${shelf}/book/all?limit=3`, 'BookList')
    expect(first.next).toMatch(new RegExp(`^/shelf/${shelf}/book/all\\?limit=3&after=`))
  })

  test('of some ids holds those in the order of ids, in pages too', async () => {
    const { entities } = await page<{ id: string; number: number }>('/row/all', 'RowList')
    const some = [entities[7], entities[4999], entities[7], entities[3]].map((row) => row?.id.toUpperCase())
    const query = `id[in]=${[newUser(), ...some].join(',')}`
    const found = await page<{ number: number }>(`/row/all?${query}`, 'RowList')
    expect([found.entities.map(({ number }) => number), found.next]).toEqual([[4, 8, 5000], undefined])
    const first = await page<{ number: number }>(`/row/all?limit=2&${query}`, 'RowList')
    expect(first.entities.map(({ number }) => number)).toEqual([4, 8])
    const second = await page<{ number: number }>(first.next ?? '', 'RowList')
    expect([second.entities.map(({ number }) => number), second.next]).toEqual([[5000], undefined])

    const blobs = await page<{ id: string }>('/blob/all', 'BlobList')
    const ids = blobs.entities.map(({ id }) => id)
    const large = await page<{ name: string }>(`/blob/all?id[in]=${ids.toReversed().join()}`, 'BlobList')
    expect(large.entities.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7'])

    const books = await page<{ id: string }>(`/shelf/${shelf}/book/all?limit=3`, 'BookList')
    const two = books.entities.slice(1)
    const path = `/book/all?id[in]=${two.map(({ id }) => id).join()}`
    expect((await page(`/shelf/${shelf}${path}`, 'BookList')).entities).toEqual(two)
    const [other] = await platform.sql('shelf')`insert into shelf (id) values (uuidv7()) returning id`
    expect((await page(`/shelf/${String(other?.['id'])}${path}`, 'BookList')).entities).toEqual([])
  })

  test.each([
    ['id[in]=', 'must be a UUID'],
    [`id[in]=${newUser()},x`, 'must be a UUID'],
    [`id[in]=${Array.from({ length: 101 }, newUser).join()}`, 'must have at most 100 ids'],
    [`id[in]=${newUser()}&id%5Bin%5D=${newUser()}`, 'must not be repeated'],
  ])('refuses %s', async (query, problem) => {
    const answer = await platform.call('GET', `/row/all?${query}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: `Invalid request parameter id[in]: ${problem}` },
    ])
  })

  test('that a client reads slowly holds no connection to the database and is not read ahead', async () => {
    const url = new URL(platform.services.get('blob')?.url ?? '')
    const sockets = Array.from({ length: 6 }, () => {
      const socket = connect(Number(url.port), url.hostname)
      socket.write('GET /blob/all HTTP/1.1\r\nhost: x\r\n\r\n')
      socket.pause()
      return socket
    })
    await sleep(500)
    // There are two connections, and six clients that take nothing: others are still served.
    expect((await platform.call('GET', '/blob/all?limit=1')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  test('that breaks off midway breaks the connection', async () => {
    const response = await fetch(`${platform.services.get('blob')?.url}/blob/all`)
    const sql = platform.sql('blob')
    await sql`alter table blob rename to gone`
    await expect(response.text()).rejects.toThrow()
    const answer = await platform.call('GET', '/blob/all')
    expect([answer.status, answer.json]).toEqual([500, { error: 'Internal server error' }])
    await sql`alter table gone rename to blob`
    await expect.poll(() => platform.services.get('blob')?.output.text).toMatch(/"(?:List|Response) aborted"/)
  })
})
