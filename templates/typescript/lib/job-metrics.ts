import type { Pool } from 'pg'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Result } from './queue.ts'

/** Upper bounds of the histogram, in seconds: jobs may take minutes. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600]
const RESULTS: readonly Result[] = ['success', 'failure', 'dead']
const COUNTS = `
  SELECT name, count(*) FILTER (WHERE dead_at IS NULL)::float AS waiting,
      count(*) FILTER (WHERE dead_at IS NOT NULL)::float AS dead,
      coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE dead_at IS NULL AND run_at <= now())), 0)::float AS oldest
    FROM _job GROUP BY name`

interface Counts {
  readonly name: string
  readonly waiting: number
  readonly dead: number
  readonly oldest: number
}

/** Reports the jobs of a service. Returns what counts the attempts. Names of metrics begin with `prefix`. */
export function measureJobs(
  prefix: string,
  jobs: Readonly<Record<string, { readonly name: string; readonly was: string | undefined }>>,
  registry: Registry,
  pool: Pool,
) {
  const kinds = Object.values(jobs)
  const total = new Counter({
    name: `${prefix}_jobs_total`,
    help: 'Attempts of jobs, by their result',
    labelNames: ['kind', 'result'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: `${prefix}_job_seconds`,
    help: 'Duration of attempts of jobs',
    labelNames: ['kind'],
    buckets: BUCKETS,
    registers: [registry],
  })
  for (const { name } of kinds) {
    for (const result of RESULTS) total.inc({ kind: name, result }, 0)
    seconds.zero({ kind: name })
  }
  let reading: Promise<void> | undefined
  const gauge = (name: string, help: string) =>
    new Gauge({
      name: `${prefix}_jobs_${name}`,
      help,
      labelNames: ['kind'],
      registers: [registry],
      // One statement for all of them, which are collected at the same time.
      collect: () => (reading ??= read().finally(() => (reading = undefined))),
    })
  const waiting = gauge('waiting', 'Jobs that wait or run')
  const dead = gauge('dead', 'Jobs whose last attempt failed')
  const oldest = gauge('oldest_seconds', 'How long the oldest of the jobs that are due has waited')
  const set = (kind: string, counts: Omit<Counts, 'name'>) => {
    waiting.set({ kind }, counts.waiting)
    dead.set({ kind }, counts.dead)
    oldest.set({ kind }, counts.oldest)
  }
  for (const { name } of kinds) set(name, { waiting: 0, dead: 0, oldest: 0 })

  /** While the database does not respond, the values stay what they were. */
  async function read(): Promise<void> {
    const rows = await pool.query<Counts>(COUNTS).then(
      (result) => result.rows,
      () => undefined,
    )
    if (rows === undefined) return
    for (const { name, was } of kinds) {
      const own = rows.filter((row) => row.name === name || row.name === was)
      const sum = (count: (row: Counts) => number) => own.reduce((all, row) => all + count(row), 0)
      set(name, {
        waiting: sum((row) => row.waiting),
        dead: sum((row) => row.dead),
        oldest: Math.max(0, ...own.map((row) => row.oldest)),
      })
    }
  }

  return (kind: string, result: Result, duration: number): void => {
    total.inc({ kind, result })
    seconds.observe({ kind }, duration)
  }
}
