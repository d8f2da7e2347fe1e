import { FAULTS } from '../../conformance/faults/all.ts'
import { detected } from '../../conformance/faults/detected.ts'

/** Each takes seconds: half of them today, and the others tomorrow. `npm test` plants a few of each kind. */
const DAY = Math.floor(Date.now() / 86_400_000)

detected(FAULTS.filter((_, index) => index % 2 === DAY % 2))
