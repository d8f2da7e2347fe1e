import type { Fault } from './fault.ts'

/** Creates that are repeated. */
export const IDEMPOTENCY_FAULTS: readonly Fault[] = [
  {
    description: 'the response of a create is not stored',
    files: { 'lib/idempotency.ts': [['if (key === undefined)', "if (key !== '')"]] },
    foundBy: 'Note: a create that is repeated with its Idempotency-Key',
  },
  {
    description: 'a create forgets its key',
    sql: {
      service: 'note',
      breaks: 'CREATE RULE none AS ON INSERT TO note DO ALSO DELETE FROM _keys',
      fixes: 'DROP RULE none ON note',
    },
    foundBy: 'Note: 6 concurrent creates with the same Idempotency-Key',
  },
]
