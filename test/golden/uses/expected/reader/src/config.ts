import type { DatabaseConfig } from './database.ts'
import { type Environment, integer, oneOf, readableFile, text, url } from './environment.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'

/** All that can be configured. */
export interface Config {
  /** Name of the service in its log. */
  readonly service: string
  /** Address to listen on. */
  readonly host: string
  /** Port of the API; 0 for any free one. */
  readonly port: number
  /** Port of health checks and of what other services ask; 0 for any free one. */
  readonly internalPort: number
  readonly database: DatabaseConfig
  /** File of the credentials that tokens are checked with. */
  readonly credentialsFile: string
  /** Largest body of a request in bytes. */
  readonly maxBodyBytes: number
  readonly logLevel: LogLevel
  /** Time in ms that requests may still take when the service is told to stop. */
  readonly shutdownTimeoutMs: number
}

/** Reads and checks the configuration. Throws `ConfigError`, which names the variable. */
export function readConfig(env: Environment): Config {
  return {
    service: 'reader',
    host: text(env, 'HOST', '0.0.0.0'),
    port: integer(env, 'PORT', 8080, 0, 65_535),
    internalPort: integer(env, 'INTERNAL_PORT', 8081, 0, 65_535),
    database: {
      url: url(env, 'DATABASE_URL', 'postgres://reader@reader-db:5432/reader', ['postgres', 'postgresql']),
      socketDirectory: text(env, 'DATABASE_SOCKET_DIRECTORY', ''),
      passwordFile: readableFile(env, 'DATABASE_PASSWORD_FILE'),
      poolSize: integer(env, 'DATABASE_POOL_SIZE', 10, 1, 1000),
    },
    credentialsFile: text(env, 'GATEWAY_CREDENTIALS_FILE', '/run/secrets/gateway-credentials'),
    maxBodyBytes: integer(env, 'MAX_BODY_BYTES', 10485766, 1, 1_000_000_000),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    shutdownTimeoutMs: integer(env, 'SHUTDOWN_TIMEOUT_MS', 10_000, 0, 3_600_000),
  }
}
