import { FAULTS } from '../../conformance/faults/all.ts'
import { detected } from '../../conformance/faults/detected.ts'
import { thirdOfToday } from '../../third-of-today.ts'

// Each takes seconds. `npm test` plants a few of each kind.
detected(thirdOfToday(FAULTS))
