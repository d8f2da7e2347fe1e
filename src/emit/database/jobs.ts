import type { DeployedService } from '../../model/deployed-services.ts'
import type { Service } from '../../model/platform.ts'
import { constraint, constraintName } from './identifiers.ts'
import type { Column, Index, Table } from './table.ts'

/** The table of the jobs of a service, which is the same in every language. No entity's begins with `_`. */
export const JOBS_TABLE = '_job'

/** Whether a service has a table of jobs. */
export const hasQueue = (service: DeployedService | Pick<Service, 'jobs'>): boolean =>
  'jobs' in service && service.jobs.length > 0

const column = (
  name: string,
  type: string,
  documentation: string,
  more: Pick<Column, 'nullable' | 'default'> = {},
): Column => ({ name, type, documentation, ...more })

const nullable = { nullable: true } as const

const index = (columns: readonly string[], where: string, unique = false): Index => ({
  name: constraintName(JOBS_TABLE, columns, unique ? 'key' : 'idx'),
  unique,
  keys: columns.map((name) => ({ column: name })),
  where,
})

/** The table of jobs that wait, run, or have failed. One that succeeds is deleted. */
export function jobsTable(service: string): Table {
  return {
    name: JOBS_TABLE,
    entity: `${service}.job`,
    documentation: 'Jobs that wait, run, or have failed.',
    columns: [
      column('id', 'bigint GENERATED ALWAYS AS IDENTITY', 'In the order in which they were added.'),
      column('name', 'text', 'The kind of job.'),
      column('payload', 'json', ''),
      column('key', 'text', 'Of the jobs that wait with a key, there is one.', nullable),
      column('subject', 'uuid', 'Jobs of a subject run one after the other.', nullable),
      column(
        'schedule',
        'text',
        'The cron expression of a scheduled job, which is always one row.',
        nullable,
      ),
      column(
        'run_at',
        'timestamptz',
        'When it is due; while it runs, when another replica may take it over.',
        {
          default: 'now()',
        },
      ),
      column('attempt', 'integer', 'The number of attempts, the running one included.', { default: '0' }),
      column('error', 'text', 'The kind of error of the last attempt.', nullable),
      column('dead_at', 'timestamptz', 'When its last attempt failed.', nullable),
    ],
    constraints: [constraint(JOBS_TABLE, [], { kind: 'pkey' })],
    foreignKeys: [],
    indexes: [
      index(['name', 'run_at', 'id'], '"dead_at" IS NULL'),
      index(['name', 'subject', 'id'], '"subject" IS NOT NULL AND "dead_at" IS NULL'),
      // Those that have begun, each of which holds back its subject.
      index(['name', 'subject'], '"subject" IS NOT NULL AND "attempt" > 0 AND "dead_at" IS NULL'),
      index(['name', 'key'], '"key" IS NOT NULL AND "attempt" = 0', true),
      index(['name'], '"schedule" IS NOT NULL', true),
    ],
    serialized: [],
  }
}
