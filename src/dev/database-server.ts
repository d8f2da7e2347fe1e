import { setTimeout as delay } from 'node:timers/promises'
import { type RunningPostgres, startPostgres } from './postgres.ts'

/** A Postgres server that is restarted on the same port if it ends unexpectedly. */
export interface DatabaseServer {
  readonly server: RunningPostgres
  readonly stop: () => Promise<void>
}

/** How to run the server. */
export interface DatabaseServerOptions {
  readonly directory: string
  /** How many connections all services may open together. */
  readonly connections: number
  readonly onProblem: (text: string) => void
  /** Cancels a start. */
  readonly signal?: AbortSignal
  /** Called when the server has been launched. It does not accept connections yet. */
  readonly onLaunch?: () => void
}

const FIRST_WAIT_MS = 50
const MAX_WAIT_MS = 5000
/** Connections for maintenance and those that Postgres reserves for superusers. */
const SPARE_CONNECTIONS = 10

/** Starts Postgres with settings for a developer's machine: little memory and few processes. */
export async function startDatabaseServer(options: DatabaseServerOptions): Promise<DatabaseServer> {
  const settings = {
    // Syncing every file of every database takes seconds on slow disks, at each start and stop. Without it only a
    // crash of the whole machine can lose data; killed processes cannot.
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: String(options.connections + SPARE_CONNECTIONS),
    shared_buffers: '24MB',
    huge_pages: 'off',
    max_wal_senders: '0',
    wal_level: 'minimal',
    max_logical_replication_workers: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    io_method: 'sync',
    jit: 'off',
    track_activities: 'off',
    autovacuum_naptime: '5min',
  }
  const start = (port?: number) =>
    startPostgres({
      directory: options.directory,
      settings,
      ...(port === undefined ? {} : { port }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.onLaunch === undefined ? {} : { onLaunch: options.onLaunch }),
    })

  let isStopping = false
  let current = await start()
  const first = current

  async function supervise(): Promise<void> {
    for (;;) {
      await current.ended
      if (isStopping) return
      options.onProblem('The database stopped unexpectedly. Restarting.')
      const next = await restart()
      if (next === undefined) return
      current = next
    }
  }

  async function restart(): Promise<RunningPostgres | undefined> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      await delay(wait)
      if (isStopping) return undefined
      try {
        const next = await start(first.port)
        if (!isStopping) return next
        await next.stop()
        return undefined
      } catch (error) {
        options.onProblem(error instanceof Error ? error.message : String(error))
      }
    }
  }

  const supervision = supervise()
  return {
    server: first,
    stop: async () => {
      isStopping = true
      await current.stop()
      await supervision
    },
  }
}
