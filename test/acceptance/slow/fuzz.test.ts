import { expect, test } from 'vitest'
import { fuzz } from '../../lsp/fuzz.ts'

/** Changes daily, so that each day tests other edits. A failure prints it. */
const SEED = Math.floor(Date.now() / 86_400_000)

test('the language server is consistent after each of 2,000 random edits', async () => {
  await expect(fuzz(2_000, SEED)).resolves.toBeUndefined()
})
