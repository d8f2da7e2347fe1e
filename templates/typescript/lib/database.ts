import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Client, DatabaseError, Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { type BaseConfig, poolConfig, responseTimeout } from './config.ts'
import { beforeLastStatement, isLastStatement } from './hooks.ts'
import type { Log } from './log.ts'

type Schema = Record<string, unknown>

/** What queries run on: the pool, one of its connections, or a transaction. */
export type DatabaseOf<S extends Schema> = PgDatabase<NodePgQueryResultHKT, S>

/** Calls a function after the transaction is committed, or immediately outside of a transaction. */
export type AfterCommit = (callback: () => unknown) => void

type Begin<S extends Schema> = NodePgDatabase<S>['transaction']
type Tx<S extends Schema> = Parameters<Parameters<Begin<S>>[0]>[0]

/** What the work of a transaction gets. Statements that are prepared on `tx` outlive the transaction. */
type Work<S extends Schema, Result> = (tx: Tx<S>, afterCommit: AfterCommit) => Promise<Result>

/** A transaction, or a savepoint of one, which shares its status. */
interface Transaction<S extends Schema> {
  readonly session: Session<S>
  readonly status: { hasEnded: boolean }
  readonly tx: Tx<S>
  readonly afterCommit: AfterCommit
}

/**
 * What stands for a connection in a transaction, which takes one for its first statement. Later transactions use it
 * again, so that queries are prepared once.
 */
interface Session<S extends Schema> {
  readonly tx: Tx<S>
  readonly query: Query
  /** Ends the transaction after the statements that were sent before, if there were any. */
  readonly end: (command: 'COMMIT' | 'ROLLBACK') => Promise<QueryResult | undefined>
  /** Set from the first statement of a transaction to its end. */
  client?: PoolClient
  onLost?: (cause: Error) => void
  /** Whether its connection was lost while work goes on that would otherwise take another one. */
  isLost?: true
}

const CONFLICT_PAUSE_MS = 50

/** What is told of calls of other services. */
const onCall = new Set<(service: string) => void>()
/** Logs a warning, once for each place in your code, if a call of another service holds a connection meanwhile. */
export function warnOfCall(service: string): void {
  for (const warn of onCall) warn(service)
}

/** Creates the service's connection pool. Connections are opened when queries need them. */
export function connect<S extends Schema>(config: BaseConfig, schema: S, log: Log) {
  const pool = new Pool({ ...poolConfig(config), max: config.DATABASE_POOL_SIZE })
  // Connections outlive the request that opened them, whose id would be in the log.
  const onError = AsyncLocalStorage.bind((error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'Database connection lost')
  })
  pool.on('connect', (client) => {
    client.on('error', onError)
    closeWhenFrozen(client, responseTimeout(config))
    if (config.DATABASE_POOLER !== undefined) removeNames(client)
  })
  // Each connection logs its own errors.
  pool.on('error', () => {})
  /** The transaction that the running code belongs to, until it has ended. */
  const context = new AsyncLocalStorage<Transaction<S> | undefined>()
  const current = () => {
    const transaction = context.getStore()
    return transaction?.status.hasEnded === false ? transaction : undefined
  }
  const direct = queryOn(pool)
  const query: Query = (...statement) => (current()?.session.query ?? direct)(...statement)
  Object.assign(pool, { query })

  async function createSession(): Promise<Session<S>> {
    const client = Object.create(Client.prototype) as PoolClient
    // Drizzle makes transactions only by beginning them.
    Object.assign(client, { query: () => ({ rows: [] }) })
    const tx = await drizzle({ client, schema }).transaction((own) => Promise.resolve(own))
    let previous: Promise<unknown> = Promise.resolve()
    /** Statements that are sent at once, as with `Promise.all`, run one after the other. */
    function inTurn<Result>(run: () => Result): Promise<Awaited<Result>> {
      const result = previous.then(run) as Promise<Awaited<Result>>
      previous = result.catch(() => {})
      return result
    }
    const session: Session<S> = {
      tx: joinable(tx),
      query: (...statement) => {
        // Another transaction may use the session.
        if (current()?.session !== session)
          throw new TypeError('This code does not belong to an open transaction')
        const isAlone = isLastStatement()
        return inTurn(() => send(session, statement, isAlone))
      },
      end: (command) =>
        inTurn(() => session.client?.query(command)).catch((cause: unknown) => {
          throw new DrizzleQueryError(command, [], cause instanceof Error ? cause : undefined)
        }),
    }
    Object.assign(client, { query: session.query })
    return session
  }

  /** Sends a statement, the first one after BEGIN on a connection of its own. */
  async function send(session: Session<S>, statement: Parameters<Query>, isAlone: boolean) {
    if (session.isLost) throw new TypeError('The connection of this transaction was lost')
    if (session.client === undefined) {
      if (isAlone) return direct(...statement)
      const client = await pool.connect()
      session.client = client
      if (session.onLost !== undefined) client.once('error', session.onLost)
      await client.query('BEGIN')
    }
    return (session.client.query.bind(session.client) as Query)(...statement)
  }

  const sessions: Session<S>[] = []

  const places = new Set<string>()
  function warnOnce(service: string): void {
    if (current()?.session.client === undefined) return
    // The code that calls is not in `lib/`, which lies beside the service, nor in a package.
    const frames = (new Error().stack ?? '').split('\n').slice(1)
    const place = frames.find((frame) => !/\/lib\/|\/comm\.ts|node_modules|node:/.test(frame))?.trim() ?? ''
    if (places.has(place)) return
    places.add(place)
    log.warn({ service, place }, 'A transaction holds a connection while it waits for another service')
  }

  onCall.add(warnOnce)

  const runCallback = (callback: () => unknown) =>
    Promise.try(callback).catch((error: unknown) => {
      log.error({ err: error }, 'A function registered with afterCommit failed')
    })

  /** Lets code within a savepoint begin further ones, with any database. */
  function joinable(tx: Tx<S>): Tx<S> {
    const savepoint = tx.transaction.bind(tx)
    tx.transaction = (work) =>
      beforeLastStatement(() =>
        savepoint((inner) => {
          const transaction = current()
          return context.run(transaction && { ...transaction, tx: joinable(inner) }, () => work(inner))
        }),
      )
    return tx
  }

  async function attempt<Result>(work: Work<S, Result>) {
    const session = sessions.pop() ?? (await createSession())
    const callbacks: (() => unknown)[] = []
    const status = { hasEnded: false }
    const afterCommit: AfterCommit = (callback) => {
      if (status.hasEnded) throw new Error('The transaction has ended')
      callbacks.push(AsyncLocalStorage.bind(callback))
    }
    const { tx } = session
    // A hook may never end. Postgres closes the connections of transactions that do nothing.
    const lost = Promise.withResolvers<never>()
    session.onLost = (cause) => lost.reject(new DrizzleQueryError('COMMIT', [], cause))
    let isBroken = false
    try {
      const run = async () => {
        try {
          return await work(tx, afterCommit)
        } finally {
          status.hasEnded = true
        }
      }
      const worked = context.run({ session, status, tx, afterCommit }, run)
      const result = await Promise.race([worked, lost.promise])
      const committed = await session.end('COMMIT')
      // This is how Postgres responds to COMMIT after a statement whose error the work has caught.
      if (committed?.command === 'ROLLBACK') throw new Error('Cannot commit after a failed statement')
      return { result, callbacks }
    } catch (error) {
      isBroken = endsConnection(error) || isInvalidated(error)
      if (!isBroken) await session.end('ROLLBACK').catch(() => (isBroken = true))
      throw error
    } finally {
      const { client } = session
      client?.off('error', session.onLost)
      client?.release(isBroken)
      delete session.client
      if (status.hasEnded) sessions.push(session)
      else session.isLost = true
    }
  }

  async function begin<Result>(work: Work<S, Result>): Promise<Result> {
    const { result, callbacks } = await retry(() => attempt(work))
    for (const callback of callbacks) await runCallback(callback)
    return result
  }

  const db = drizzle({ client: pool, schema })
  // Drizzle would take another connection, which its code's other statements do not use.
  db.transaction = (work, options) => {
    const joined = current()
    if (joined !== undefined) return joined.tx.transaction(work)
    return begin(async (tx) => {
      if (options !== undefined) await tx.setTransaction(options)
      return work(tx)
    })
  }

  return {
    pool,
    /** Its statements, and all that begins transactions, join the transaction that the running code belongs to. */
    db,

    /** Runs the work in a transaction, a second time after a conflict with another one. */
    transaction: <Result>(work: Work<S, Result>): Promise<Result> => {
      const joined = current()
      return joined === undefined ? begin(work) : work(joined.session.tx, joined.afterCommit)
    },

    /** Runs work that does not belong to the transaction of the code that calls it. */
    outside: <Result>(work: () => Promise<Result>): Promise<Result> => context.run(undefined, work),

    afterCommit: (callback: () => unknown): void => {
      const joined = current()
      if (joined === undefined) void runCallback(callback)
      else joined.afterCommit(callback)
    },
    close: () => {
      onCall.delete(warnOnce)
      return pool.end()
    },
  }
}

/** Makes something once for each database. */
export function perDatabase<Database extends object, Made>(make: (db: Database) => Made) {
  const known = new WeakMap<Database, Made>()
  return (db: Database): Made => {
    const made = known.get(db) ?? make(db)
    known.set(db, made)
    return made
  }
}

/** The constraint that an error of the database says is violated; `undefined` for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code = '', constraint } = databaseError(error) ?? {}
  return code.startsWith('23') ? constraint : undefined
}

/**
 * SQLSTATEs of a database that is unreachable, overloaded, read-only, stopping or too slow: connection exceptions,
 * timeouts of transactions, invalid authorization, conflicts, insufficient resources and interventions of an operator.
 */
const UNAVAILABLE = /^(?:08|25006|25P03|25P04|28|40|53|57)/

/** Whether a statement failed because the database does not respond, or too slowly. */
export const isUnavailable = (error: unknown) =>
  endsConnection(error)
    ? !(error.cause instanceof TypeError)
    : UNAVAILABLE.test(databaseError(error)?.code ?? '')

/** Whether an error did not come from the server: the connection is lost or, with a TypeError, a value cannot be sent. */
const endsConnection = (error: unknown): error is DrizzleQueryError =>
  error instanceof DrizzleQueryError && databaseError(error) === undefined

/** Serialization failures and deadlocks. */
const isConflict = (error: unknown) => ['40001', '40P01'].includes(databaseError(error)?.code ?? '')

/**
 * Runs something again: once after a conflict with another transaction, and while prepared queries are invalid, of
 * which each run closes a connection.
 */
const retry = <Result>(run: () => Promise<Result>, isLast = false): Promise<Result> =>
  run().catch(async (error: unknown) => {
    if (isInvalidated(error)) return retry(run, isLast)
    if (isLast || !isConflict(error)) throw error
    // A random pause keeps the same two from meeting again.
    await sleep(CONFLICT_PAUSE_MS * (1 + Math.random()))
    return retry(run, true)
  })

/** Whether a prepared query failed because a migration has changed the type of a column. */
const isInvalidated = (error: unknown) => databaseError(error)?.routine === 'RevalidateCachedQuery'

/** The error of the database that an error is or wraps. */
export function databaseError(error: unknown): DatabaseError | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return cause instanceof DatabaseError ? cause : undefined
}

type Callback = (error: unknown, result: QueryResult) => void
export type Query = (statement: QueryConfig | string, values?: unknown[], callback?: Callback) => unknown

/** Lets a connection prepare nothing, because a pooler gives the next transaction another connection of the server. */
function removeNames(client: PoolClient): void {
  const send: Query = client.query.bind(client)
  const query: Query = (statement, ...others) => {
    if (typeof statement === 'object') Object.assign(statement, { name: undefined })
    return send(statement, ...others)
  }
  Object.assign(client, { query })
}

/**
 * Runs statements on connections of the pool. The pool's own method closes the connection after each error; this one
 * those that are broken, and those from before a migration, whose prepared queries are invalid. Callbacks, because with
 * promises V8 would collect the rows of lists late in the first seconds.
 */
function queryOn(pool: Pool): Query {
  const query = (statement: QueryConfig | string, values?: unknown[]) =>
    new Promise<QueryResult>((resolve, reject) => {
      pool.connect((failure, client, release) => {
        if (client === undefined) return reject(failure ?? new Error('No connection'))
        const send: Query = client.query.bind(client)
        let isDone = false
        send(statement, values, (error, result) => {
          // After a value that cannot be sent, `pg` calls again when the connection is closed.
          if (isDone) return
          isDone = true
          const isError = error instanceof Error
          release(isError && (!(error instanceof DatabaseError) || isInvalidated(error)))
          if (isError) reject(error)
          else resolve(result)
        })
      })
    })
  return (statement, values) => retry(() => query(statement, values))
}

/**
 * Closes a connection when its server does not respond to a statement. The option `query_timeout` of `pg` would also
 * count the time in which a statement of a transaction waits for those before it.
 */
function closeWhenFrozen(client: PoolClient, timeoutMs: number): void {
  const socket = client.connection.stream as Socket
  let sentBefore = socket.bytesWritten
  client.on('drain', () => (sentBefore = socket.bytesWritten))
  socket.setTimeout(timeoutMs).on('timeout', () => {
    // Between the statements of a transaction, a hook may take longer.
    if (socket.bytesWritten > sentBefore) socket.destroy(new Error('The database does not respond'))
  })
}
