import { expect, test } from 'vitest'
import { fuzz } from '../../lsp/fuzz.ts'

/** Another one each day, so that the same edits are not made again and again; a failure names it. */
const SEED = Math.floor(Date.now() / 86_400_000)

test('the language server keeps to the truth through 10,000 random edits', async () => {
  await expect(fuzz(10_000, SEED)).resolves.toBeUndefined()
})
