import postgres from 'postgres'
import { expect, test } from 'vitest'
import { freshDatabase } from '../postgres.ts'

// Why generated services use `pg`: see the table of dependencies in CONTRIBUTING.md.

test('postgres.js runs the rest of a transaction outside of it after its connection broke', async () => {
  const database = await freshDatabase('CREATE TABLE entry (number int)')
  const pool = postgres(database.url, { max: 1, backoff: () => 0, onnotice: () => {} })

  async function storeTwo(transaction: postgres.TransactionSql): Promise<void> {
    const [entry] = await transaction<
      { pid: number }[]
    >`INSERT INTO entry VALUES (1) RETURNING pg_backend_pid() AS pid`
    await database.sql`SELECT pg_terminate_backend(${entry?.pid ?? 0}, 5000)`
    // Makes the pool connect again, as another request would.
    await pool`SELECT 1`
    await transaction`INSERT INTO entry VALUES (2)`
  }

  try {
    // `begin` rejects when the connection breaks, while the function still runs.
    let stored: Promise<void> | undefined
    const outcome = pool.begin((transaction) => (stored = storeTwo(transaction)))
    await outcome.catch(() => {})
    await stored?.catch(() => {})
    const entries = await database.sql<{ number: number }[]>`SELECT number FROM entry`
    expect(
      entries.map(({ number }) => number),
      'postgres.js no longer stores parts of a transaction. Let generated services use it instead of `pg`, as they were designed',
    ).toEqual([2])
  } finally {
    await pool.end({ timeout: 1 })
    await database.drop()
  }
})
