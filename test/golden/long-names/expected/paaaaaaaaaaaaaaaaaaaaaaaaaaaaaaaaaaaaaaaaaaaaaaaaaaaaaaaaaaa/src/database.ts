import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { classify, DatabaseUnavailable } from './database-errors.ts'
import { errorFields, type Log } from './log.ts'

/** How to reach the database. */
export interface DatabaseConfig {
  readonly url: string
  /** Directory of the server's Unix socket, used in place of the URL's host; empty for a connection by TCP. */
  readonly socketDirectory: string
  /** File that holds the password, read for each new connection; without it, that of the URL is used. */
  readonly passwordFile: string | undefined
  /** Connections at most. */
  readonly poolSize: number
}

export type Drizzle = PostgresJsDatabase & { readonly $client: Sql }

/** The service's database. While it does not answer, queries fail at once, with what `classify` calls unavailable. */
export interface Database {
  readonly drizzle: Drizzle
  /** Resolves when the database answers for the first time; rejects when the signal is aborted before. */
  ready(signal?: AbortSignal): Promise<void>
  /** Asks the database whether it answers. */
  ping(): Promise<boolean>
  /** Ends the connections, after the queries that are running. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_S = 2
const PROBE_TIMEOUT_MS = 2000
/** How often a database that is away is asked whether it is back. */
const RETRY_MS = 200
/** Queries without any answer for this long, and the database is asked whether it is still there. */
const SILENCE_MS = 2000
const SILENCE_CHECK_MS = 500
/** Requests are answered before; what still runs is given this long. */
const CLOSE_TIMEOUT_S = 1
/** Of a statement that ended as a deadlock, which Postgres takes a second to notice. */
const MAX_REPETITIONS = 4
/** Before it runs again, so that those who waited for it come first; up to twice as long, so that two do not meet. */
const REPETITION_PAUSE_MS = 50
/** Keeps the log of a long wait short. */
const RETRIES_PER_LOG_LINE = 25

/** Prepares the connections, which are made when the first queries need them. */
export function connect(config: DatabaseConfig, log: Log): Database {
  const { client, ...availability } = watch(() => open(config), log)
  return { drizzle: drizzle({ client }), ...availability }
}

function open({ url, socketDirectory, passwordFile, poolSize }: DatabaseConfig): Sql {
  return postgres(url, {
    ...(socketDirectory === '' ? {} : { host: socketDirectory }),
    ...(passwordFile === undefined ? {} : { password: () => readPassword(passwordFile) }),
    max: poolSize,
    connect_timeout: CONNECT_TIMEOUT_S,
    // The watch below decides when to connect again; waiting inside the client would hold up requests.
    backoff: () => 0,
    // No array types are used, and asking for them would delay the first query of each connection.
    fetch_types: false,
    types: AS_TEXT,
    // How times come as text; a server or role may be set to something else.
    connection: { TimeZone: 'UTC', DateStyle: 'ISO' },
    onnotice: () => {},
  })
}

async function readPassword(file: string): Promise<string> {
  const text = await readFile(file, 'utf8')
  return text.replace(/\r?\n$/, '')
}

/** Dates and times stay the text that the database sends: a JavaScript Date would drop microseconds. */
const AS_TEXT = Object.fromEntries(
  Object.entries({ date: 1082, time: 1083, timestamp: 1114, timestamptz: 1184 }).map(([name, oid]) => [
    name,
    { to: oid, from: [oid], serialize: (value: string) => value, parse: (text: string) => text },
  ]),
)

/**
 * Puts a client before the real one that knows whether the database answers. postgres.js queues queries
 * while it connects again, so that requests would wait for a database that is away; here they fail at once.
 * One probe at a time finds out when it is back, and the next queries go to the probe's new connections.
 */
function watch(openClient: () => Sql, log: Log) {
  const closing = new AbortController()
  let current = openClient()
  let away = false
  let probing = false
  let running = 0
  let lastAnswer = performance.now()

  async function pause(): Promise<void> {
    await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
  }

  /** Asks over a new connection, since the old ones may be broken one by one while the database is well. */
  async function probe(): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      const candidate = openClient()
      const error = await failureOf(candidate, closing.signal)
      if (error === undefined && away && !closing.signal.aborted) {
        current = candidate
        away = false
        log.info('The database is back')
        return
      }
      await candidate.end({ timeout: 0 })
      if (error === undefined) return
      // Ends the queries that wait for an answer, too.
      if (!away) void current.end({ timeout: 0 })
      away = true
      if (attempt % RETRIES_PER_LOG_LINE === 0) log.warn('The database does not answer', errorFields(error))
      await pause()
    }
  }

  function suspect(): void {
    if (probing) return
    probing = true
    void probe().finally(() => {
      probing = false
      lastAnswer = performance.now()
    })
  }

  function track<Query extends PromiseLike<unknown>>(query: Query): Query {
    if (running === 0) lastAnswer = performance.now()
    running += 1
    const settled = () => {
      running -= 1
      lastAnswer = performance.now()
    }
    query.then(settled, (error: unknown) => {
      settled()
      if (classify(error).kind === 'unavailable') suspect()
    })
    return query
  }

  const silence = setInterval(() => {
    if (running > 0 && performance.now() - lastAnswer > SILENCE_MS) suspect()
  }, SILENCE_CHECK_MS)
  silence.unref()

  async function ping(): Promise<boolean> {
    if (away) return false
    const error = await failureOf(current, closing.signal)
    if (error !== undefined) suspect()
    return error === undefined
  }

  return {
    /** All that Drizzle uses of a client. */
    client: {
      get options() {
        return current.options
      },
      unsafe: (...query: Parameters<Sql['unsafe']>) =>
        repeatable(() => (away ? refused() : track(current.unsafe(...query)))),
      begin: (run: (transaction: TransactionSql) => unknown) =>
        away ? refused() : track(current.begin(run)),
    } as unknown as Sql,

    ping,

    async ready(signal?: AbortSignal): Promise<void> {
      while (!(await ping())) {
        signal?.throwIfAborted()
        await pause()
      }
    },

    async close(): Promise<void> {
      closing.abort()
      clearInterval(silence)
      await current.end({ timeout: CLOSE_TIMEOUT_S })
    },
  }
}

/** What keeps the client's database from answering; `undefined` when it does. */
async function failureOf(client: Sql, closing: AbortSignal): Promise<unknown> {
  const answered = new AbortController()
  const signal = AbortSignal.any([answered.signal, closing])
  const late = sleep(PROBE_TIMEOUT_MS, undefined, { signal }).then(() => {
    throw new DatabaseUnavailable('No answer')
  })
  try {
    await Promise.race([client`SELECT 1`, late])
    return undefined
  } catch (error) {
    return error
  } finally {
    answered.abort()
  }
}

/** A statement in the form that Drizzle awaits: it calls `values` before it does. */
interface RunningQuery extends Promise<unknown> {
  values(): PromiseLike<unknown>
}

function refused(): RunningQuery {
  const rejection = Promise.reject(new DatabaseUnavailable('The database does not answer'))
  return Object.assign(rejection, { values: () => rejection })
}

/**
 * Runs a statement again that Postgres ended because it and others waited for each other. Outside a transaction
 * nothing of it was stored, and what it waited for is decided by then.
 */
function repeatable(start: () => RunningQuery): RunningQuery {
  let asValues = false
  const first = start()

  async function repeat(ended: unknown): Promise<unknown> {
    let error = ended
    for (let times = 0; times < MAX_REPETITIONS && classify(error).kind === 'deadlock'; times++) {
      await sleep(REPETITION_PAUSE_MS * (1 + Math.random()))
      try {
        const query = start()
        return await (asValues ? query.values() : query)
      } catch (next) {
        error = next
      }
    }
    throw error
  }

  function values(): Promise<unknown> {
    asValues = true
    first.values()
    return settled
  }

  const settled = first.catch(repeat)
  return Object.assign(settled, { values })
}
