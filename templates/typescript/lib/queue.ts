import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import {
  FAIL,
  FINISH,
  FINISH_SCHEDULED,
  NEXT,
  RENAME,
  RENEW,
  RETURN,
  SCHEDULE,
  TAKE,
  UNSCHEDULE,
} from './job-statements.ts'
import type { Kind, RunningJob } from './jobs.ts'
import { describe, type Log } from './log.ts'

/** What came of an attempt. A job is dead after its last one. */
export type Result = 'success' | 'failure' | 'dead'

/** A stored job that has been taken. */
interface Row {
  readonly id: string
  readonly payload: unknown
  readonly schedule: string | null
  readonly attempt: number
  /** The time of the database. */
  readonly taken_at: Date
}

/** A job that runs. */
interface Attempt {
  readonly row: Row
  readonly abort: AbortController
  /** Resolves with the error of the attempt, if it has failed. */
  readonly done: Promise<unknown>
}

/** What the queue needs of the environment of handlers. */
export interface JobEnv<Env> {
  readonly log: Log
  transaction<R>(work: (env: Env) => Promise<R>): Promise<R>
}

export interface QueueOptions<Env> {
  readonly env: Env
  readonly kinds: readonly Kind<Env>[]
  /** For the statements of the queue. */
  readonly pool: Pool
  /** For those that belong to the transaction of a handler. */
  readonly joining: Pool
  readonly log: Log
  /** How many jobs run at a time. */
  readonly limit: number
  /** Called at the end of each attempt. */
  readonly onEnd?: (name: string, result: Result, seconds: number) => void
}

const ATTEMPTS = 20
const FIRST_PAUSE_S = 5
const MAX_PAUSE_S = 3600
const RENEW_MS = 10_000
/** How late a replica finds what others have added, or have left when they were killed. */
const POLL_MS = 5000
/** How long handlers may take to notice that the service stops. */
const ABORT_MS = 1000

/** Creates what runs the jobs that wait in the database of a service. */
export function createQueue<Env extends JobEnv<Env>>(options: QueueOptions<Env>) {
  const { env, kinds, pool, joining, log, limit, onEnd = () => {} } = options
  /** Replicas of the version before a job was renamed may still add some with the former name. */
  const byName = new Map(
    kinds.flatMap((kind) =>
      [kind.name, ...(kind.was === undefined ? [] : [kind.was])].map((name) => [name, kind]),
    ),
  )
  // A replica that could not renew a lease may take its own job a second time.
  const running = new Set<Attempt>()
  const stopped = new AbortController()
  let isWoken = false
  let wakeUp: (() => void) | undefined
  const wake = () => {
    isWoken = true
    wakeUp?.()
  }

  /** Brings the stored jobs to what is declared. */
  async function prepare(): Promise<void> {
    for (const { name, was } of kinds) if (was !== undefined) await pool.query(RENAME, [name, was])
    const scheduled = kinds.flatMap(({ name, schedule }) => (schedule === undefined ? [] : [name]))
    await pool.query(UNSCHEDULE, [scheduled])
    for (const kind of kinds) await ensureScheduled(kind)
  }

  async function ensureScheduled({ name, schedule }: Kind<Env>): Promise<void> {
    if (schedule !== undefined) await pool.query(SCHEDULE, [name, schedule.cron, schedule.next(new Date())])
  }

  async function loop(): Promise<void> {
    let isPrepared = false
    while (!stopped.signal.aborted) {
      isWoken = false
      let pause = 1000
      try {
        if (!isPrepared) await prepare()
        isPrepared = true
        pause = await fill()
      } catch (error) {
        log.warn({ err: error }, 'Could not read the waiting jobs')
      }
      if (isWoken || stopped.signal.aborted) continue
      const woken = Promise.withResolvers<void>()
      wakeUp = woken.resolve
      const timer = setTimeout(woken.resolve, pause)
      await woken.promise
      clearTimeout(timer)
    }
  }

  /** Starts what is due, and returns for how long nothing more will be, in ms. */
  async function fill(): Promise<number> {
    const poll = POLL_MS * (0.8 + Math.random() * 0.4)
    if (running.size >= limit) return poll
    const rows = await readTimes()
    let took = 0
    for (const { name } of rows.filter(({ ms }) => ms !== null && ms <= 0)) took += await take(name)
    if (took > 0) return running.size < limit ? 0 : poll
    const waits = rows.flatMap(({ ms }) => (ms === null || ms <= 0 ? [] : [ms]))
    return Math.max(1, Math.min(poll, ...waits))
  }

  /** When the first job of each kind is due, those first that are due for longest. */
  async function readTimes() {
    const names = [...byName.keys()]
    const { rows } = await pool.query<{ name: string; ms: number | null }>(NEXT, [names])
    // A replica of another version may have removed the row of a schedule that it does not know.
    for (const kind of kinds)
      if (rows.some(({ name, ms }) => name === kind.name && ms === null)) await ensureScheduled(kind)
    return rows.toSorted((a, b) => (a.ms ?? 0) - (b.ms ?? 0))
  }

  /** Starts jobs of a kind that are due, as many as may run. Returns how many. */
  async function take(name: string): Promise<number> {
    const kind = byName.get(name)
    if (kind === undefined || running.size >= limit || stopped.signal.aborted) return 0
    const { rows } = await pool.query<Row>(TAKE, [name, limit - running.size])
    for (const row of rows) {
      const abort = new AbortController()
      const done = run(kind, row, abort.signal).finally(() => {
        running.delete(each)
        wake()
      })
      const each: Attempt = { row, abort, done }
      running.add(each)
    }
    return rows.length
  }

  /** Runs an attempt. Returns its error, if it has failed. */
  async function run(kind: Kind<Env>, row: Row, signal: AbortSignal): Promise<unknown> {
    const { id, attempt } = row
    const fields = { job: kind.name, jobId: id, attempt }
    const started = performance.now()
    let hasEnded = false
    /** Of a scheduled job: by the clock of the database, so that one time never counts twice. */
    const next = row.schedule === null ? undefined : kind.schedule?.next(row.taken_at)
    /** The end of a scheduled job is its next time. */
    const end = async (on: Pool, error?: string) => {
      const { rowCount } =
        next === undefined
          ? await on.query(FINISH, [id, attempt])
          : await on.query(FINISH_SCHEDULED, [id, attempt, next, error ?? null])
      if (rowCount === 0) throw new Error('The job has ended, or another replica has taken it over')
    }
    const job: RunningJob<Env> = {
      id,
      attempt,
      signal,
      finish: async (work) => {
        const result = await env.transaction(async (inner) => {
          const done = await work(withLog(inner, fields))
          await end(joining)
          return done
        })
        hasEnded = true
        return result
      },
    }
    const report = (result: Result, error?: unknown): unknown => {
      const seconds = (performance.now() - started) / 1000
      const parts = { ...fields, durationMs: Math.round(seconds * 1e6) / 1000 }
      if (result === 'success' && error === undefined) log.info(parts, 'job')
      else log[result === 'failure' ? 'warn' : 'error']({ ...parts, err: error }, MESSAGES[result])
      onEnd(kind.name, result, seconds)
      return error
    }
    try {
      // Its process has ended each time, perhaps because of it.
      if (attempt > ATTEMPTS) throw new Error('The last attempt did not end')
      await kind.attempt(withLog(env, fields), row.payload, job)
      if (!hasEnded) await end(pool)
      return report('success')
    } catch (error) {
      if (hasEnded) return report('success', error)
      // Another replica has the job, or `stop` returns it.
      if (signal.aborted) {
        log.info({ ...fields, err: error }, 'A job was aborted')
        return error
      }
      const isLast = attempt >= ATTEMPTS
      const { type, code } = Object(describe(error))
      const pause = Math.min(MAX_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempt - 1)) * (0.9 + Math.random() * 0.2)
      const isDead = isLast && next === undefined
      try {
        if (isLast && !isDead) await end(pool, code ?? type)
        else await pool.query(FAIL, [id, attempt, code ?? type, pause, isDead])
      } catch (err) {
        log.warn({ ...fields, err }, 'Could not store that a job failed')
      }
      return report(isDead ? 'dead' : 'failure', error)
    }
  }

  const leases = () => {
    const rows = Array.from(running, ({ row }) => row)
    return [rows.map(({ id }) => id), rows.map(({ attempt }) => attempt)]
  }

  /** Keeps what runs. What another replica has taken over in the meantime is aborted. */
  async function renew(): Promise<void> {
    if (running.size === 0) return
    const mine = Array.from(running)
    try {
      const { rows } = await pool.query<{ id: string }>(RENEW, leases())
      const kept = new Set(rows.map(({ id }) => id))
      const hasLater = ({ row }: Attempt) =>
        mine.some((other) => other.row.id === row.id && other.row.attempt > row.attempt)
      for (const each of mine) if (!kept.has(each.row.id) || hasLater(each)) each.abort.abort()
    } catch (error) {
      log.warn({ err: error }, 'Could not renew the leases of jobs')
    }
  }

  return {
    /** Begins to run jobs. Returns what stops it. */
    start(): (timeoutMs: number) => Promise<void> {
      for (const kind of kinds) kind.onAdd(wake)
      // Not in the context of a request.
      const ended = AsyncLocalStorage.bind(loop)()
      const renewal = setInterval(() => void renew(), RENEW_MS)
      return async (timeoutMs) => {
        stopped.abort()
        wake()
        await ended
        const done = () => Promise.all(Array.from(running, (each) => each.done))
        await Promise.race([done(), sleep(timeoutMs)])
        clearInterval(renewal)
        if (running.size === 0) return
        for (const { abort } of running) abort.abort()
        await pool.query(RETURN, leases()).catch((error: unknown) => {
          log.warn({ err: error }, 'Could not give back the jobs that were running')
        })
        await Promise.race([done(), sleep(ABORT_MS)])
      }
    },
    /** Runs what is due until nothing is. Returns the errors. */
    async runDue(): Promise<unknown[]> {
      await prepare()
      const errors: unknown[] = []
      for (;;) {
        for (const { name } of (await readTimes()).filter(({ ms }) => ms !== null && ms <= 0))
          await take(name)
        if (running.size === 0) return errors
        const results = await Promise.all(Array.from(running, ({ done }) => done))
        errors.push(...results.filter((error) => error !== undefined))
      }
    },
  }
}

const MESSAGES = {
  success: 'A handler failed after it had finished its job',
  failure: 'A job failed',
  dead: 'A job is dead',
} as const

/** An environment whose log lines name the job. */
function withLog<Env extends JobEnv<Env>>(env: Env, fields: object): Env {
  const transaction: JobEnv<Env>['transaction'] = (work) =>
    env.transaction((inner) => work(withLog(inner, fields)))
  return { ...env, log: env.log.child(fields), transaction }
}
