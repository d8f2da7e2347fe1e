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

/** What the work of a transaction gets. Statements that are prepared on `connection` outlive it. */
type WorkArguments<S extends Schema> = [tx: Tx<S>, connection: DatabaseOf<S>, afterCommit: AfterCommit]
type Work<S extends Schema, Result> = (...parts: WorkArguments<S>) => Promise<Result>

/** A transaction, or a savepoint of one, which shares its status. */
interface Transaction<S extends Schema> {
  readonly session: Session
  readonly status: { hasEnded: boolean }
  /** Absent while it begins and while it is committed. */
  readonly parts?: WorkArguments<S>
}

/**
 * What stands for a connection in a transaction, which takes one for its first statement. Later transactions use it
 * again, so that queries are prepared once.
 */
interface Session {
  readonly query: Query
  /** Set from the first statement of a transaction to its end. */
  client?: PoolClient
  /** BEGIN, which is sent before the first statement. */
  begin?: Parameters<Query>
  onOpen?: (client: PoolClient) => void
  /** Whether its connection was lost while work goes on that would otherwise take another one. */
  isLost?: true
}

const CONFLICT_PAUSE_MS = 50

/** What is told of calls of other services in a transaction. */
const calls = new AsyncLocalStorage<((service: string) => void) | undefined>()
/** Logs a warning, once for each place in your code, if a call of another service holds a connection meanwhile. */
export const warnOfCall = (service: string): void => calls.getStore()?.(service)

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
  const currentSession = () => current()?.session
  const direct = queryOn(pool)
  const query: Query = (...statement) => (currentSession()?.query ?? direct)(...statement)
  Object.assign(pool, { query })

  /** Statements that are sent at once, as with `Promise.all`, run one after the other. */
  function createSession(): Session {
    let previous: Promise<unknown> = Promise.resolve()
    const session: Session = {
      query: (...statement) => {
        const transaction = current()
        // Another transaction may use the session.
        if (transaction?.session !== session)
          throw new TypeError('This code does not belong to an open transaction')
        const isWork = transaction.parts !== undefined
        const isAlone = isLastStatement()
        const result = previous.then(() => send(session, statement, isWork, isAlone))
        previous = result.catch(() => {})
        return result
      },
    }
    return session
  }

  /** Sends a statement. That of BEGIN waits for another one, without which COMMIT has nothing to do. */
  async function send(session: Session, statement: Parameters<Query>, isWork: boolean, isAlone: boolean) {
    if (session.isLost) throw new TypeError('The connection of this transaction was lost')
    if (session.client === undefined) {
      if (!isWork) {
        session.begin ??= statement
        return { rows: [] }
      }
      if (isAlone) return direct(...statement)
      const client = await pool.connect()
      session.client = client
      session.onOpen?.(client)
      await sendOn(client, session.begin ?? ['BEGIN'])
    }
    return sendOn(session.client, statement)
  }
  const sendOn = (client: PoolClient, statement: Parameters<Query>) =>
    (client.query.bind(client) as Query)(...statement)

  const sessions: Session[] = []
  const databaseOn = perDatabase(
    (session: Session): NodePgDatabase<S> =>
      drizzle({
        client: Object.assign(Object.create(Client.prototype) as PoolClient, { query: session.query }),
        schema,
      }),
  )

  const places = new Set<string>()
  function warnOnce(service: string): void {
    // The code that calls is not in `lib/`, which lies beside the service, nor in a package.
    const frames = (new Error().stack ?? '').split('\n').slice(1)
    const place = frames.find((frame) => !/\/lib\/|\/comm\.ts|node_modules|node:/.test(frame))?.trim() ?? ''
    if (places.has(place)) return
    places.add(place)
    log.warn({ service, place }, 'A transaction holds a connection while it waits for another service')
  }

  const runCallback = (callback: () => unknown) =>
    Promise.try(callback).catch((error: unknown) => {
      log.error({ err: error }, 'A function registered with afterCommit failed')
    })

  /** Lets code within a savepoint begin further ones, with any database. */
  function joinable(tx: Tx<S>, transaction: Transaction<S>, ...others: [DatabaseOf<S>, AfterCommit]): Tx<S> {
    const savepoint = tx.transaction.bind(tx)
    tx.transaction = (work) =>
      beforeLastStatement(() =>
        savepoint((inner) => {
          const parts: WorkArguments<S> = [joinable(inner, transaction, ...others), ...others]
          return context.run({ ...transaction, parts }, () => work(inner))
        }),
      )
    return tx
  }

  async function attempt<Result>(work: Work<S, Result>, options: Parameters<Begin<S>>[1]) {
    const session = sessions.pop() ?? createSession()
    const connection = databaseOn(session)
    const callbacks: (() => unknown)[] = []
    const transaction = { session, status: { hasEnded: false } }
    const afterCommit: AfterCommit = (callback) => {
      if (transaction.status.hasEnded) throw new Error('The transaction has ended')
      callbacks.push(AsyncLocalStorage.bind(callback))
    }
    const onCall = (service: string) => {
      if (session.client !== undefined && !transaction.status.hasEnded) warnOnce(service)
    }
    const runWork = (tx: Tx<S>) => {
      const parts: WorkArguments<S> = [
        joinable(tx, transaction, connection, afterCommit),
        connection,
        afterCommit,
      ]
      const run = () => Promise.try(work, ...parts).finally(() => (transaction.status.hasEnded = true))
      return calls.run(onCall, () => context.run({ ...transaction, parts }, run))
    }
    // A hook may never end. Postgres closes the connections of transactions that do nothing.
    const lost = Promise.withResolvers<never>()
    const onLost = (cause: Error) => lost.reject(new DrizzleQueryError('COMMIT', [], cause))
    let ending = ''
    const onComplete = ({ text }: { text: string }) => (ending = text)
    session.onOpen = (client) => {
      client.once('error', onLost)
      client.connection.on('commandComplete', onComplete)
    }
    let isBroken = false
    try {
      // BEGIN and COMMIT do not belong to the work.
      const ends = { session, status: { hasEnded: false } }
      const committed = context.run(ends, () => connection.transaction(runWork, options))
      const result = await Promise.race([committed, lost.promise])
      // This is how Postgres responds to COMMIT after a statement whose error the work has caught.
      if (ending === 'ROLLBACK') throw new Error('Cannot commit after a failed statement')
      return { result, callbacks }
    } catch (error) {
      isBroken = endsConnection(error) || isInvalidated(error)
      throw error
    } finally {
      const { client } = session
      client?.off('error', onLost)
      client?.connection.off('commandComplete', onComplete)
      client?.release(isBroken)
      delete session.client
      delete session.begin
      if (transaction.status.hasEnded) sessions.push(session)
      else session.isLost = true
    }
  }

  async function begin<Result>(work: Work<S, Result>, options?: Parameters<Begin<S>>[1]): Promise<Result> {
    const { result, callbacks } = await retry(() => attempt(work, options))
    for (const callback of callbacks) await runCallback(callback)
    return result
  }

  const db = drizzle({ client: pool, schema })
  // Drizzle would take another connection, which its code's other statements do not use.
  db.transaction = (work, options) => {
    const [tx] = current()?.parts ?? []
    return tx === undefined ? begin((own) => work(own), options) : tx.transaction(work)
  }

  return {
    pool,
    /** Its statements, and all that begins transactions, join the transaction that the running code belongs to. */
    db,

    /** Runs the work in a transaction, a second time after a conflict with another one. */
    transaction: <Result>(work: Work<S, Result>): Promise<Result> => {
      const parts = current()?.parts
      return parts === undefined ? begin(work) : work(...parts)
    },

    /** Runs work that does not belong to the transaction of the code that calls it. */
    outside: <Result>(work: () => Promise<Result>): Promise<Result> =>
      calls.run(undefined, () => context.run(undefined, work)),

    afterCommit: (callback: () => unknown): void => {
      const [, , afterThis] = current()?.parts ?? []
      if (afterThis === undefined) void runCallback(callback)
      else afterThis(callback)
    },
    close: () => pool.end(),
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
