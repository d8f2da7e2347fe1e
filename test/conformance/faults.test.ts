import { FAULTS } from './faults/all.ts'
import { detected } from './faults/detected.ts'

// A few of each kind; test/acceptance/slow plants the others.
detected(FAULTS.filter((_, index) => index % 8 === 0))
