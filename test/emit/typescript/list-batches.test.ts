import { expect, test } from 'vitest'
import { gatherList, type ListSource } from '../../../templates/typescript/src/lists.ts'

const IDS = Array.from({ length: 5 }, (_, index) => `00000000-0000-7000-8000-00000000000${index}`)

const source: ListSource<{ id: string }> = {
  key: 'ThingList',
  path: '/api/thing/all',
  batch: async (after, limit) =>
    IDS.filter((id) => id > after)
      .slice(0, Math.max(0, limit))
      .map((id) => ({ id })),
  pageEnd: async () => [],
}

/** A hook may set what its types do not take. */
const gathered = (limit: unknown) => gatherList(source, { limit: limit as number, after: undefined })

test('a limit that a hook sets', async () => {
  expect((await gathered(2)).entities).toHaveLength(2)
  expect((await gathered(5000)).entities).toHaveLength(5)
})

test.each([0, -1, Number.NaN, null])(
  'a hook that sets the limit to %s fails, and the list ends',
  async (limit) => {
    await expect(gathered(limit)).rejects.toThrow(RangeError)
  },
)
