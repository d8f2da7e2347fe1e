import { expect, test } from 'vitest'
import { examplePaths } from './definitions.ts'
import { countSlips, MAX_SLIPS } from './slips.ts'

test('one wrong token in an example almost always has one message', () => {
  const { slips, withMoreThanOneMessage } = countSlips(examplePaths('examples'))
  expect(slips).toBeGreaterThan(5000)
  expect(withMoreThanOneMessage).toBeLessThanOrEqual(MAX_SLIPS)
})
