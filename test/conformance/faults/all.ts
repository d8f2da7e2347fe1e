import { ACCESS_FAULTS } from './access-faults.ts'
import { CONSTRAINT_FAULTS } from './constraints.ts'
import { CUSTOM_ENDPOINT_FAULTS } from './custom-endpoints.ts'
import { ENDPOINT_FAULTS } from './endpoints.ts'
import { IDEMPOTENCY_FAULTS } from './idempotency.ts'
import { IDENTITY_FAULTS } from './identity.ts'
import { LIST_FAULTS } from './lists.ts'
import { REFERENCE_FAULTS } from './references.ts'
import { VALUE_FAULTS } from './values.ts'
import { VERSION_FAULTS } from './versions.ts'
import type { Fault } from './fault.ts'

/** All of them. */
export const FAULTS: readonly Fault[] = [
  ...ENDPOINT_FAULTS,
  ...LIST_FAULTS,
  ...ACCESS_FAULTS,
  ...CONSTRAINT_FAULTS,
  ...REFERENCE_FAULTS,
  ...VALUE_FAULTS,
  ...IDENTITY_FAULTS,
  ...VERSION_FAULTS,
  ...IDEMPOTENCY_FAULTS,
  ...CUSTOM_ENDPOINT_FAULTS,
]
