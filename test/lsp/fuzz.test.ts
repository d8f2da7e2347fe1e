import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

test('keeps to the truth through random edits', async () => {
  await expect(fuzz(400, 1)).resolves.toBeUndefined()
})
