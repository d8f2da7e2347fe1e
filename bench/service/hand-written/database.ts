import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { customType } from 'drizzle-orm/pg-core'
import { Pool, type PoolClient } from 'pg'

const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE'] ?? 10),
  statement_timeout: 4000,
  options: '-c TimeZone=UTC',
})

export const db = drizzle({ client: pool })

/** `timestamptz` as RFC 3339 text in UTC. */
export const datetime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => value.replace(' ', 'T').replace('+00', 'Z'),
})

/** Returns a function that runs work in a transaction, with the statements that are prepared once a connection. */
export function transactionWith<Statements>(prepare: (connection: NodePgDatabase) => Statements) {
  const prepared = new WeakMap<PoolClient, { connection: NodePgDatabase; statements: Statements }>()
  return async <Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect()
    try {
      let known = prepared.get(client)
      if (known === undefined) {
        const connection = drizzle({ client })
        known = { connection, statements: prepare(connection) }
        prepared.set(client, known)
      }
      const { connection, statements } = known
      return await connection.transaction(() => work(statements))
    } finally {
      client.release()
    }
  }
}
