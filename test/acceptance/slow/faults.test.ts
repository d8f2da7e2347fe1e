import { FAULTS } from '../../conformance/faults/all.ts'
import { detected } from '../../conformance/faults/detected.ts'

detected(FAULTS)
