import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

test('is consistent after random edits', async () => {
  await expect(fuzz(400, 1)).resolves.toBeUndefined()
})
