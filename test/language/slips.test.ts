import { expect, test } from 'vitest'
import { examplePaths } from './definitions.ts'
import { countSlips, MAX_SLIPS } from './slips.ts'

/** Every third slip; `npm run bench` makes all of them. */
const ONE_OF = 3
/** How many more than a third of them may be among these. */
const TOLERANCE = 10

test('one wrong token in an example almost always has one message', () => {
  const { slips, withMoreThanOneMessage } = countSlips(examplePaths('examples'), ONE_OF)
  expect(slips).toBeGreaterThan(5000 / ONE_OF)
  expect(withMoreThanOneMessage).toBeLessThanOrEqual(MAX_SLIPS / ONE_OF + TOLERANCE)
})
