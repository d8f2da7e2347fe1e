import { Cron } from 'croner'
import type { Schedule } from './jobs.ts'

/** The times of a cron expression with five fields, in UTC. */
export function cronSchedule(cron: string): Schedule {
  const times = new Cron(cron, { timezone: 'UTC', paused: true })
  return {
    cron,
    next: (after) => {
      const next = times.nextRun(after)
      if (next === null) throw new Error(`No time matches the schedule ${cron}`)
      return next
    },
  }
}
