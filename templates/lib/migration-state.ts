import { Pool } from 'pg'
import { type BaseConfig, poolConfig, responseTimeout } from './config.ts'
import { type AppliedMigration, supports } from './migration-files.ts'

/** Creates the readiness check. Its connection, which stays open, tells the migration runner which code is running. */
export function createProbe(config: BaseConfig, schemaHash: string) {
  const name = `portico ${schemaHash.slice(0, 32)}`
  const pool = new Pool({
    ...poolConfig(config),
    query_timeout: responseTimeout(config),
    application_name: name,
    max: 1,
    idleTimeoutMillis: 0,
  })
  pool.on('error', () => {})
  const states = () => pool.query<AppliedMigration>('SELECT name, schema FROM _migration')
  return {
    isUp: () => pool.query('SELECT').then(Boolean, () => false),
    isReady: () =>
      states()
        .then(({ rows }) => supports(rows, schemaHash))
        .catch(() => false),
    close: () => pool.end(),
  }
}
