import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { BaseConfig } from './config.ts'
import { connect } from './database.ts'
import type { Kind } from './jobs.ts'
import type { Log } from './log.ts'
import { createQueue, type JobEnv, type QueueOptions } from './queue.ts'

const STATEMENT_TIMEOUT_MS = 60_000
const CLOSE_MS = 1000

interface StartOptions<Env, Schema extends Record<string, unknown>> {
  readonly env: Env & { readonly jobs: Readonly<Record<string, Kind<Env>>> }
  readonly config: BaseConfig & { readonly JOBS: number }
  readonly schema: Schema
  readonly log: Log
  readonly database: ReturnType<typeof connect<Schema>>
  readonly onEnd?: QueueOptions<Env>['onEnd']
}

/**
 * Begins to run jobs, up to `JOBS` at a time, whose statements have connections of their own. Returns what stops it.
 */
export function startQueue<Env extends JobEnv<Env>, Schema extends Record<string, unknown>>(
  options: StartOptions<Env, Schema>,
): () => Promise<void> {
  const { env, config, schema, log, database, onEnd } = options
  const { JOBS, SHUTDOWN_TIMEOUT_MS } = config
  if (JOBS === 0) return async () => {}
  const own = connect(
    // One more, so that leases are renewed while all jobs are in transactions.
    { ...config, DATABASE_POOL_SIZE: JOBS + 1, DATABASE_STATEMENT_TIMEOUT_MS: STATEMENT_TIMEOUT_MS },
    schema,
    log,
  )
  const isInJob = new AsyncLocalStorage<boolean>()
  const { pool: shared } = database
  const connectShared = shared.connect.bind(shared)
  const connectOwn = own.pool.connect.bind(own.pool)
  const connectEither = (...args: Parameters<typeof connectShared>) =>
    (isInJob.getStore() === true ? connectOwn : connectShared)(...args)
  Object.assign(shared, { connect: connectEither })
  const queue = createQueue<Env>({
    env,
    kinds: Object.values(env.jobs),
    pool: own.pool,
    joining: shared,
    log,
    limit: JOBS,
    ...(onEnd && { onEnd }),
  })
  const stop = isInJob.run(true, () => queue.start())
  return async () => {
    await stop(SHUTDOWN_TIMEOUT_MS)
    // What still runs ends with the process.
    await Promise.race([own.close(), sleep(CLOSE_MS)])
  }
}

/**
 * Runs the jobs that are due, and those that they add, until none is: for tests, which start no queue. Throws the error
 * of the first one that has failed.
 */
export async function runJobs<Env extends JobEnv<Env>>(
  env: Env & { readonly jobs: Readonly<Record<string, Kind<Env>>> },
  { pool }: { readonly pool: Pool },
): Promise<void> {
  const kinds = Object.values(env.jobs)
  const queue = createQueue<Env>({ env, kinds, pool, joining: pool, log: env.log, limit: 1 })
  const [error] = await queue.runDue()
  if (error !== undefined) throw error
}
