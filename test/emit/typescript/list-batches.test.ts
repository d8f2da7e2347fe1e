import { expect, test } from 'vitest'
import { collect, readList } from '../../../templates/lib/lists.ts'

const IDS = Array.from({ length: 5 }, (_, index) => `00000000-0000-7000-8000-00000000000${index}`)

const source = {
  batch: async ({ after, until, limit }: { after: string; until: string; limit: number }) =>
    IDS.filter((id) => id > after && id <= until)
      .slice(0, limit)
      .map((id) => ({ id })),
}

/** A hook may set what its types do not allow. */
const gathered = async (limit: unknown) => collect(await readList({ limit: limit as number }, source))

test('a limit that a hook sets', async () => {
  expect(await gathered(2)).toHaveLength(2)
  expect(await gathered(5000)).toHaveLength(5)
})

test.each([0, -1, Number.NaN, null])('a hook that sets the limit to %s fails', async (limit) => {
  await expect(gathered(limit)).rejects.toThrow(RangeError)
})
