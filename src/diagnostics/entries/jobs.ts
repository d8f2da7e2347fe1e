import { type CatalogueEntry, inService } from '../entry.ts'

const error = 'error'

/** A job in a service, in the standard layout. */
const job = (...members: readonly string[]): string =>
  ['Tidy: job {', ...members.map((member) => `  ${member}`), '}'].join('\n  ')

/** Jobs. */
export const JOBS = {
  'invalid-schedule': {
    severity: error,
    title: 'Invalid schedule',
    explanation:
      'A schedule is a cron expression in UTC: minute, hour, day of the month, month and day of the week. Each is `*`, a number, a range `1-5`, a step `*/15` or `0-30/10`, or a list of numbers, ranges and steps with `,`. Sunday is 0. If both the day of the month and the day of the week are restricted, one of them has to match.',
    bad: inService(job('#schedule("3:00");')),
    good: inService(job('#schedule("0 3 * * *");')),
  },
  'scheduled-payload': {
    severity: error,
    title: 'Scheduled job with attributes',
    explanation:
      'A job with `#schedule` runs at its times, without anybody who adds it and gives it a payload. Let it read what it needs from the database, or let it add another job with a payload.',
    bad: inService(job('#schedule("0 3 * * *");', 'days: int;')),
    good: inService(job('#schedule("0 3 * * *");')),
  },
} as const satisfies Record<string, CatalogueEntry>
