import { expect, test } from 'vitest'
import { fuzz } from '../../lsp/fuzz.ts'

/** The edits are the same in every run, unless another seed is set. A failure prints it. */
const SEED = Number(process.env['SEED'] ?? 1)

test('the language server is consistent after each of 2,000 random edits', async () => {
  await expect(fuzz(2_000, SEED)).resolves.toBeUndefined()
})
