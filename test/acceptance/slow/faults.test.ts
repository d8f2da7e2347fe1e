import { FAULTS } from '../../conformance/faults/all.ts'
import { detected } from '../../conformance/faults/detected.ts'

/** Each takes seconds: a third of them today, and the others in the next two days. `npm test` plants a few of each kind. */
const DAY = Math.floor(Date.now() / 86_400_000)

detected(FAULTS.filter((_, index) => index % 3 === DAY % 3))
