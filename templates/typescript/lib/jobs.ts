import type { Pool } from 'pg'
import type { z } from 'zod'
import type { AfterCommit } from './database.ts'
import { ADD, CANCEL } from './job-statements.ts'

/** What a handler knows of the job that it runs. */
export interface RunningJob<Env> {
  /** The same in each attempt. */
  readonly id: string
  /** 1 for the first one. */
  readonly attempt: number
  /** Aborted when the service stops, and when another replica has taken the job over. */
  readonly signal: AbortSignal
  /**
   * Runs the work in a transaction that also ends the job: both happen exactly once, or not at all. Throws if the job has
   * ended, or another replica has taken it over.
   */
  finish<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
}

/** When a job runs, and which one it replaces. */
export interface AddOptions {
  /** Not before this time. Default: now. */
  readonly at?: Date
  /** Of the jobs with a key that have not started yet, there is one. Another one replaces it. */
  readonly key?: string
}

/** Times of a schedule. */
export interface Schedule {
  /** Five fields, in UTC. */
  readonly cron: string
  /** The first time after another one. */
  readonly next: (after: Date) => Date
}

/** A kind of job, as the queue sees it. */
export interface Kind<Env> {
  readonly name: string
  /** Its former name, which jobs that wait may have. */
  readonly was: string | undefined
  readonly schedule: Schedule | undefined
  readonly hasHandler: () => boolean
  /** Runs an attempt. Throws if the stored payload is not valid. */
  readonly attempt: (env: Env, stored: unknown, job: RunningJob<Env>) => unknown
  /** Calls a function whenever a job has been added and committed. */
  readonly onAdd: (listener: () => void) => void
}

/** Where jobs are stored. Its statements join the transaction of the code that calls them. */
export interface JobDatabase {
  readonly pool: Pool
  readonly afterCommit: AfterCommit
}

interface Declaration<Schema extends z.ZodType<object>> {
  readonly name: string
  readonly was?: string
  readonly payload: Schema
}

/** Creates a kind of job that your code adds. */
export function job<Env, Schema extends z.ZodType<object>>(
  { pool, afterCommit }: JobDatabase,
  { name, was, payload: schema }: Declaration<Schema>,
) {
  type Payload = z.output<Schema>
  const handler = handlerOf<[env: Env, payload: Payload, job: RunningJob<Env>]>(name)
  let listener: (() => void) | undefined

  function read(payload: unknown): Payload {
    // Without a prototype, so that only its own keys are found.
    const { success, data, error } = schema.safeParse({ __proto__: null, ...Object(payload) })
    if (success) return data
    const [issue] = error.issues
    const problem = [...(issue?.path ?? []), issue?.message ?? 'is invalid'].join(' ')
    throw new TypeError(`Invalid payload of the job ${name}: ${problem}`)
  }

  return {
    name,
    was,
    schedule: undefined,
    hasHandler: handler.isRegistered,
    /** Registers what the job does. */
    run: handler.register,
    attempt: (env: Env, stored: unknown, running: RunningJob<Env>) => handler.run(env, read(stored), running),
    onAdd: (added: () => void) => void (listener = added),
    /** Stores a job, in the transaction if there is one. Returns its id. Throws if the payload is not what is declared. */
    async add(payload: z.input<Schema>, { at, key }: AddOptions = {}): Promise<string> {
      const values = [name, stored(read(payload)), key ?? null, at?.toISOString() ?? null]
      const { rows } = await pool.query<{ id: string }>(ADD, values)
      afterCommit(() => listener?.())
      return String(rows[0]?.id)
    },
    /** Removes the job that has this key and has not started yet. Returns whether there was one. */
    async cancel(key: string): Promise<boolean> {
      const { rowCount } = await pool.query(CANCEL, [name, key])
      return rowCount === 1
    },
  }
}

/** Creates a kind of job that runs by itself, once for all replicas. */
export function scheduledJob<Env>({
  name,
  was,
  schedule,
}: {
  name: string
  was?: string
  schedule: Schedule
}) {
  const handler = handlerOf<[env: Env, job: RunningJob<Env>]>(name)
  return {
    name,
    was,
    schedule,
    hasHandler: handler.isRegistered,
    /** Registers what the job does. */
    run: handler.register,
    attempt: (env: Env, _stored: unknown, running: RunningJob<Env>) => handler.run(env, running),
    onAdd: () => {},
  }
}

function handlerOf<Arguments extends unknown[]>(name: string) {
  let handler: ((...values: Arguments) => unknown) | undefined
  return {
    isRegistered: () => handler !== undefined,
    register: (added: (...values: Arguments) => unknown): void => {
      if (handler !== undefined) throw new Error(`The job ${name} has one handler`)
      handler = added
    },
    run: (...values: Arguments) => handler?.(...values),
  }
}

/** JSON as every language writes it: bytes as base64. */
const stored = (payload: object) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(payload).map(([name, value]: [string, unknown]) => [
        name,
        Buffer.isBuffer(value) ? value.toString('base64') : value,
      ]),
    ),
  )

/** Throws unless all jobs have a handler, so that the service does not start. */
export function requireJobHandlers(jobs: Record<string, { readonly hasHandler: () => boolean }>): void {
  const missing = Object.entries(jobs).flatMap(([name, { hasHandler }]) => (hasHandler() ? [] : [name]))
  if (missing.length === 0) return
  const calls = missing.map((name) => `env.jobs.${name}.run(...)`)
  throw new Error(`Jobs without a handler: register them in setup.ts with ${calls.join(', ')}`)
}
