import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pgTable, uuid } from 'drizzle-orm/pg-core'
import { Hono } from 'hono'
import { pino } from 'pino'
import type { ApiEnv } from '../../../templates/typescript/lib/api.ts'
import {
  batchesBySize,
  collect,
  listResponse,
  oneBatch,
  readList,
} from '../../../templates/typescript/lib/lists.ts'
import { search } from '../../../templates/typescript/lib/search.ts'

const IDS = Array.from({ length: 5 }, (_, index) => `00000000-0000-7000-8000-00000000000${index}`)

const rowsAfter = async ({ after, limit }: { after: string; limit: number }) =>
  IDS.filter((id) => id > after)
    .slice(0, limit)
    .map((id) => ({ id }))

/** A hook may set what its types do not allow. */
const gathered = async (limit: unknown) =>
  collect(await readList({ limit: limit as number }, { rows: rowsAfter, batches: oneBatch }))

test('a limit that a hook sets', async () => {
  expect(await gathered(2)).toHaveLength(2)
  expect(await gathered(5000)).toHaveLength(5)
})

test.each([0, -1, Number.NaN, null])('a hook that sets the limit to %s fails', async (limit) => {
  await expect(gathered(limit)).rejects.toThrow(RangeError)
})

describe('rows that are larger than a batch', () => {
  const content = Buffer.alloc(9_000_000)
  let reading = 0
  let most = 0
  const withSize = ({ id }: { id: string }) => ({ id, _bytes: content.length })
  const large = {
    rows: async (range: Parameters<typeof rowsAfter>[0]) => (await rowsAfter(range)).map(withSize),
    batches: batchesBySize(async (ids) => {
      most = Math.max(most, ++reading)
      await setImmediate()
      reading--
      return ids.map((id) => ({ id, content }))
    }),
  }
  const found = {
    columns: { id: pgTable('large', { id: uuid() }).id },
    rows: async () => IDS.map((id) => withSize({ id })),
    batches: large.batches,
    count: async () => 1,
  }

  test.each([
    ['a list', () => readList({}, large)],
    ['a list that is counted', () => search({ total: true }, undefined, found)],
  ])('are read one at a time in %s', async (_, list) => {
    await collect(await list())
    most = 0
    await Promise.all(Array.from({ length: 3 }, async () => collect(await list())))
    expect(most).toBe(1)
  })

  test('are read although one cannot be read', async () => {
    const failing = {
      ...large,
      batches: batchesBySize(() => Promise.reject(new Error('The database is away'))),
    }
    const lists = [readList({}, failing), readList({}, large)]
    const [failed, list] = await Promise.allSettled(lists)
    expect([failed?.status, list?.status]).toEqual(['rejected', 'fulfilled'])
  })

  test.each([
    [0, IDS.slice(1)],
    [2, IDS.filter((_, index) => index !== 2)],
  ])('that are deleted while a list is read leave no gap in it (%i)', async (deleted, left) => {
    const find = async (ids: string[]) => ids.filter((id) => id !== IDS[deleted]).map((id) => ({ id }))
    const list = await readList({}, { rows: large.rows, batches: batchesBySize(find) })
    const log = pino({ enabled: false })
    const app = new Hono<ApiEnv>().get('/', (c) => listResponse(c, log, 'List', list, ({ id }) => id))
    const response = await app.request('/')
    expect(await response.json()).toEqual({ List: left })
  })

  test('are not kept while a client receives them', async () => {
    const list = await readList({}, large)
    const log = pino({ enabled: false })
    const app = new Hono<ApiEnv>().get('/', (c) => listResponse(c, log, 'List', list, ({ id }) => ({ id })))
    const response = await app.request('/')
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toBe(`{"List":[{"id":"${IDS[0]}"}`)
    expect(list.first).toEqual([])
    await reader?.cancel()
  })
})
