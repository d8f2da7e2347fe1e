import { FAULTS } from './faults/all.ts'
import { detected } from './faults/detected.ts'

// A few of each kind; test/acceptance/slow plants a third of them each day.
detected(FAULTS.filter((_, index) => index % 8 === 0))
