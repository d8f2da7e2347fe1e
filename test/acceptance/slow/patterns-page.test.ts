import { expect } from 'vitest'
import { typeErrors } from '../../compiler.ts'
import { testPatterns } from '../../examples/patterns.ts'

testPatterns('typescript', async (output) => {
  expect(await typeErrors(output)).toBe('')
})
