import './testing-postgres.ts'
import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import { withSettings } from './config.ts'
import { applyMigrations } from './migrate.ts'

/** A Postgres server on which tests create databases, as a role that may do so. */
const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? ''

/** Creates a database for tests and applies the migrations of a directory: `home-db/migrations`. */
export async function createTestDatabase(directory: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = new Pool({
    connectionString: SERVER_URL,
    allowExitOnIdle: true,
    connectionTimeoutMillis: 10_000,
  })
  const name = `test_${randomBytes(8).toString('hex')}`
  await server.query(`CREATE DATABASE ${name}`).catch((cause: unknown) => {
    throw new Error('Could not create a database. Set TEST_DATABASE_URL to a Postgres server', { cause })
  })
  const url = new URL(SERVER_URL)
  url.pathname = name
  await applyMigrations({ connection: { connectionString: withSettings(url.href) }, directory })
  const drop = () => server.query(`DROP DATABASE ${name} WITH (FORCE)`).then(() => server.end())
  return { url: url.href, drop }
}
