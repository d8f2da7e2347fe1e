import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { ExtractTablesWithRelations } from 'drizzle-orm/relations'
import { DatabaseError, Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { type BaseConfig, poolConfig, responseTimeout } from './config.ts'
import type { Log } from './log.ts'

type Schema = Record<string, unknown>

/** What queries run on: the pool, one of its connections, or a transaction. */
export type DatabaseOf<S extends Schema> = PgDatabase<NodePgQueryResultHKT, S, ExtractTablesWithRelations<S>>

/** Calls a function after the transaction is committed, or immediately outside of a transaction. */
export type AfterCommit = (callback: () => unknown) => void

/** The work of a transaction. Statements that are prepared on `connection` outlive it. */
type Work<S extends Schema, Result> = (
  tx: DatabaseOf<S>,
  connection: DatabaseOf<S>,
  afterCommit: AfterCommit,
) => Promise<Result>

const CONFLICT_PAUSE_MS = 50

/** Creates the service's connection pool. Connections are opened when queries need them. */
export function connect<S extends Schema>(config: BaseConfig, schema: S, log: Log) {
  const pool = new Pool({ ...poolConfig(config), max: config.DATABASE_POOL_SIZE })
  // Connections outlive the request that opened them, whose id would be in the log.
  const onError = AsyncLocalStorage.bind((error: Error) =>
    log.warn({ err: error }, 'Database connection lost'),
  )
  pool.on('connect', (client) => client.on('error', onError))
  // Each connection logs its own errors.
  pool.on('error', () => {})
  Object.assign(pool, { query: queryOn(pool) })
  // The option `query_timeout` of `pg` would do the same, but its allocations slow lists down by a sixth.
  observeStatements(pool, (_text, client) => {
    const timeout = setTimeout(() => void client.end(), responseTimeout(config))
    return () => clearTimeout(timeout)
  })

  const databaseOn = perDatabase((client: PoolClient): NodePgDatabase<S> => drizzle({ client, schema }))

  const runCallback = (callback: () => unknown) =>
    Promise.try(callback).catch((error: unknown) => {
      log.error({ err: error }, 'A function registered with afterCommit failed')
    })

  async function attempt<Result>(work: Work<S, Result>, afterCommit: AfterCommit): Promise<Result> {
    const client = await pool.connect().catch((cause: Error) => {
      throw new DrizzleQueryError('BEGIN', [], cause)
    })
    const connection = databaseOn(client)
    let isBroken = false
    try {
      return await connection.transaction((tx) => work(tx, connection, afterCommit))
    } catch (error) {
      isBroken = isConnectionError(error) || isInvalidated(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }

  return {
    pool,
    db: drizzle({ client: pool, schema }),

    /** Runs the work in a transaction, a second time after a conflict with another one. */
    transaction: async <Result>(work: Work<S, Result>): Promise<Result> => {
      let callbacks: (() => unknown)[] = []
      const result = await retryConflict(() => {
        callbacks = []
        return attempt(work, (callback) => callbacks.push(callback))
      })
      for (const callback of callbacks) await runCallback(callback)
      return result
    },

    /** For code that runs outside of a transaction. */
    afterCommit: (callback: () => unknown) => void runCallback(callback),
    close: () => pool.end(),
  }
}

/** Makes something once for each database. */
export function perDatabase<Database extends object, Made>(
  make: (db: Database) => Made,
): (db: Database) => Made {
  const known = new WeakMap<Database, Made>()
  return (db) => {
    const made = known.get(db) ?? make(db)
    known.set(db, made)
    return made
  }
}

/** Runs something once more if Postgres ended it because of a conflict with another transaction. */
export async function retryConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await retryInvalidated(run)
  } catch (error) {
    if (!isConflict(error)) throw error
    // A random pause keeps the same two from meeting again.
    await sleep(CONFLICT_PAUSE_MS * (1 + Math.random()))
    return run()
  }
}

/** The constraint that an error of the database says is violated; `undefined` for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code = '', constraint } = databaseError(error) ?? {}
  return code.startsWith('23') ? constraint : undefined
}

/** Returns a function for `catch` that replaces violations of the constraints by an error for the client. */
export const onViolation = (replacement: () => Error, constraints: readonly string[]) => (error: unknown) => {
  throw constraints.includes(violatedConstraint(error) ?? '') ? replacement() : error
}

/**
 * SQLSTATEs of a database that is unreachable, overloaded, stopping or too slow: connection exceptions, timeouts of
 * transactions, invalid authorization, conflicts, insufficient resources and interventions of an operator.
 */
const UNAVAILABLE = /^(?:08|25P03|25P04|28|40|53|57)/

/** Whether a statement failed because the database does not respond, or too slowly. */
export const isUnavailable = (error: unknown) =>
  isConnectionError(error) || UNAVAILABLE.test(databaseError(error)?.code ?? '')

/** Errors that the server did not send come from the connection. */
const isConnectionError = (error: unknown) =>
  error instanceof DrizzleQueryError && databaseError(error) === undefined

/** Serialization failures and deadlocks. */
const isConflict = (error: unknown) => ['40001', '40P01'].includes(databaseError(error)?.code ?? '')

/** Runs something again while prepared queries are invalid. Each time, one of their connections is closed. */
const retryInvalidated = <Result>(run: () => Promise<Result>): Promise<Result> =>
  run().catch((error: unknown) => {
    if (!isInvalidated(error)) throw error
    return retryInvalidated(run)
  })

/** Whether a prepared query failed because a migration has changed the type of a column. */
const isInvalidated = (error: unknown) => databaseError(error)?.routine === 'RevalidateCachedQuery'

function databaseError(error: unknown): DatabaseError | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return cause instanceof DatabaseError ? cause : undefined
}

type Callback = (error: unknown, result: QueryResult) => void
type Query = (statement: QueryConfig | string, values?: unknown[], callback?: Callback) => unknown

/**
 * Runs statements on a connection of the pool. The pool's own method closes the connection after each error. This one
 * closes those that are broken, and those from before a migration, whose prepared queries are invalid. Callbacks,
 * because with promises the rows of a list live longer, which costs a quarter of its throughput.
 */
function queryOn(pool: Pool): Query {
  const query = (statement: QueryConfig | string, values?: unknown[]) =>
    new Promise<QueryResult>((resolve, reject) => {
      pool.connect((failure, client, release) => {
        if (client === undefined) return reject(failure ?? new Error('No connection'))
        const done: Callback = (error, result) => {
          const isError = error instanceof Error
          release(isError && (!(error instanceof DatabaseError) || isInvalidated(error)))
          if (isError) reject(error)
          else resolve(result)
        }
        const send: Query = client.query.bind(client)
        send(statement, values, done)
      })
    })
  return (statement, values) => retryInvalidated(() => query(statement, values))
}

/**
 * Calls a function with the text of each statement, when it is sent or queued on its connection. The function that it
 * returns is called when the result arrives, with the error if there is one.
 */
export function observeStatements(
  pool: Pool,
  observe: (text: string, client: PoolClient) => (error?: unknown) => void,
): void {
  pool.on('connect', (client: PoolClient) => {
    const query: Query = client.query.bind(client)
    const observed: Query = (statement, values, callback) => {
      const end = observe(typeof statement === 'string' ? statement : statement.text, client)
      // The pool passes a callback, transactions await a promise.
      if (callback !== undefined)
        return query(statement, values, (error, result) => {
          end(error ?? undefined)
          callback(error, result)
        })
      const result = query(statement, values)
      if (result instanceof Promise) result.then(() => end(), end)
      return result
    }
    Object.assign(client, { query: observed })
  })
}
