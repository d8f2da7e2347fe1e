import { Pool } from 'pg'
import { type BaseConfig, directConfig, responseTimeout } from './config.ts'
import { type AppliedMigration, supports } from './migration-files.ts'

/** Creates the readiness check. Its connection, which stays open, tells the migration runner which code is running. */
export function createProbe(config: BaseConfig, schemaHash: string) {
  const pool = new Pool({
    ...directConfig(config),
    query_timeout: responseTimeout(config),
    application_name: `portico ${schemaHash.slice(0, 32)}`,
    max: 1,
    idleTimeoutMillis: 0,
  })
  pool.on('error', () => {})
  return {
    isUp: () => pool.query('SELECT').then(Boolean, () => false),
    /** Returns why the code cannot work with the database; `undefined` if it can. */
    findProblem: () =>
      pool.query<AppliedMigration>('SELECT name, schema FROM _migration').then(
        ({ rows }) => (supports(rows, schemaHash) ? undefined : new Error('Migrations are missing')),
        (error: unknown) => error,
      ),
    close: () => pool.end(),
  }
}
