import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { decimal } from '#lib/decimal.ts'
import { job, type JobDatabase, scheduledJob } from '#lib/jobs.ts'
import { cronSchedule } from '#lib/schedules.ts'
import { datetime, time } from '#lib/times.ts'
import { base64, boolean, double, oneOf, text, uuid, withDefault } from '#lib/values.ts'
import type { Env } from './hooks.ts'

/**
 * The payload of Remind.
 *
 * Reminds the customer by mail.
 */
export const RemindPayload = z.object({
  invoice: uuid,
  /** What the mail says. */
  text: withDefault(text({ max: 500 }), 'Please pay.'),
  fee: decimal({ scale: 2, min: '0.00' }),
  factor: double().nullable().default(null),
  day: date,
  hour: time.nullable().default(null),
  sentAt: datetime,
  letter: base64({ max: 10_000 }).nullable().default(null),
  by: withDefault(oneOf('mail', 'post'), 'mail'),
  again: withDefault(boolean, false),
})
export type RemindPayload = z.infer<typeof RemindPayload>

/** The payload of Recount. */
export const RecountPayload = z.object({})
export type RecountPayload = z.infer<typeof RecountPayload>

/** Creates the jobs, whose handlers setup.ts registers. */
export const createJobs = (database: JobDatabase) => ({
  remind: job<Env, typeof RemindPayload>(database, { name: 'remind', was: 'nudge', payload: RemindPayload }),
  recount: job<Env, typeof RecountPayload>(database, { name: 'recount', payload: RecountPayload }),
  markOverdue: scheduledJob<Env>({ name: 'mark_overdue', schedule: cronSchedule('0 3 * * *') }),
})
