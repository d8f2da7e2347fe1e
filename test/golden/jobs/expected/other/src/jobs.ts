import { type JobDatabase, scheduledJob } from '#lib/jobs.ts'
import { cronSchedule } from '#lib/schedules.ts'
import type { Env } from './hooks.ts'

/** Creates the jobs, whose handlers setup.ts registers. */
export const createJobs = (_database: JobDatabase) => ({
  tidy: scheduledJob<Env>({ name: 'tidy', schedule: cronSchedule('*/5 * * * 1-5') }),
})
