import { FAULTS } from '../../conformance/faults/all.ts'
import { detected } from '../../conformance/faults/detected.ts'

// `npm test` plants the others, a few of each kind.
detected(FAULTS.filter((_, index) => index % 8 !== 0))
