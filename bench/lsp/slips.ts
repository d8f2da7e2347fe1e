import { examplePaths } from '../../test/language/definitions.ts'
import { countSlips, MAX_SLIPS } from '../../test/language/slips.ts'
import type { Figure } from '../figures.ts'

/** Counts one-token slips of the examples that are reported with more than one message. */
export function measureSlips(): Figure {
  const { slips, withMoreThanOneMessage, kinds } = countSlips(examplePaths('examples'))
  return {
    what: 'one-token slips of the examples with more than one message',
    value: withMoreThanOneMessage,
    unit: 'slips',
    must: { atMost: MAX_SLIPS },
    detail: `${slips} slips: ${kinds}`,
  }
}
