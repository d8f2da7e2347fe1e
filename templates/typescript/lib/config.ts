import { readFileSync } from 'node:fs'
import { DatabaseError, type PoolConfig } from 'pg'
import { z } from 'zod'

/** An integer within inclusive bounds. */
export const integer = (min: number, max: number) => {
  const atMost = `must be at most ${max}`
  const number = z.coerce.number<string>(atMost).min(min, `must be at least ${min}`).max(max, atMost)
  return z.string().regex(INTEGER, 'must be an integer').pipe(number)
}
const INTEGER = /^-?\d+$/

/** The URL of another service, or of a collector. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres or postgresql URL' })
/** A size in bytes. */
export const byteCount = integer(1, 2 ** 30)

/** Memory that requests and responses can share, in bytes. */
const MEMORY_BYTES = Math.min(process.constrainedMemory() || Infinity, 2 ** 30)

/** What every service reads from the environment. */
export const baseConfig = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: integer(0, 65_535).default(8080),
  /** Port of health checks and of requests from other services. The gateway never calls it. */
  INTERNAL_PORT: integer(0, 65_535).default(8081),
  /** Port of `/metrics`, with `#metrics`. Only Prometheus calls it. */
  METRICS_PORT: integer(0, 65_535).default(8082),
  DATABASE_URL: databaseUrl,
  /** `transaction` if DATABASE_URL is that of a pooler that gives each transaction a connection. */
  DATABASE_POOLER: z.enum(['transaction'], 'must be transaction').optional(),
  /** The database itself, if DATABASE_URL is that of a pooler: for migrations and the readiness check. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** File with the password, for a URL without one. */
  DATABASE_PASSWORD_FILE: z.string().optional(),
  DATABASE_POOL_SIZE: integer(1, 1000).default(10),
  /** How long a request waits for a free connection of the pool, or a new one. */
  DATABASE_CONNECT_TIMEOUT_MS: integer(1, 60_000).default(2000),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(1, 3_600_000).default(4000),
  /** How long a transaction may wait for its next statement. */
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: integer(1, 3_600_000).default(10_000),
  /** How long a connection stays in the pool without use. */
  DATABASE_IDLE_TIMEOUT_MS: integer(1, 3_600_000).default(60_000),
  /** How long a call of another service may take, with all attempts. */
  SERVICE_TIMEOUT_MS: integer(1, 300_000).default(2000),
  MAX_BODY_BYTES: byteCount,
  /** Limits all bodies at one time. A body needs up to 16 times its size. */
  MAX_BODY_BYTES_IN_FLIGHT: byteCount.default(MEMORY_BYTES / 16),
  /** Limits what clients have not received of all responses. Above it, the slowest ones lose their connection. */
  MAX_UNSENT_BYTES: byteCount.default(MEMORY_BYTES / 8),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
  /** Where spans are sent: the address of an OpenTelemetry collector. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** The fraction of traces that are recorded. A request that continues a trace is recorded if the trace is. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^\d*\.?\d+$/, 'must be a number from 0 to 1')
    .pipe(z.coerce.number<string>().max(1, 'must be at most 1'))
    .default(1),
  /** How long requests are still accepted after SIGTERM, so that the gateway can notice. */
  DRAIN_MS: integer(0, 60_000).default(2000),
  /** How long requests may take to finish after that. */
  SHUTDOWN_TIMEOUT_MS: integer(0, 3_600_000).default(10_000),
})

export type BaseConfig = z.infer<typeof baseConfig>

/** File with the credentials that verify tokens. */
export const credentialsPath = z.string().default('/run/secrets/gateway-credentials')

/** Reads environment variables. Empty ones count as unset. Throws an error that names all invalid ones. */
export function readConfig<Config>(schema: z.ZodType<Config>, environment: NodeJS.ProcessEnv): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { success, data, error } = schema.safeParse(set, { error: missing })
  if (success) return data
  const problems = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new Error(`Invalid configuration: ${problems.join(', ')}`)
}
const missing: z.core.$ZodErrorMap = ({ input }) => (input === undefined ? 'is missing' : undefined)

/**
 * What changes the meaning of statements, or values as text. The server, the database and the role can have other
 * settings. Which schema has the tables (`search_path`) is up to them, and drivers choose the encoding.
 */
export const SESSION_SETTINGS = {
  DateStyle: 'ISO,MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  // As many as tell all floats apart.
  extra_float_digits: '1',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // A statement that has waited for a lock sees what the other transaction has written.
  default_transaction_isolation: 'read committed',
} as const

/** Adds these settings to the URL of a database. They replace those of its own options. */
export function withSettings(database: string): string {
  const url = new URL(database)
  const settings = Object.entries(SESSION_SETTINGS).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  )
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...settings].join(' '))
  return url.href
}

/** How to connect. */
export function poolConfig(config: BaseConfig): PoolConfig {
  const url = new URL(config.DATABASE_URL)
  if (url.password === '' && config.DATABASE_PASSWORD_FILE !== undefined)
    url.password = encodeURIComponent(readFileSync(config.DATABASE_PASSWORD_FILE, 'utf8').trimEnd())
  const isPooled = config.DATABASE_POOLER !== undefined
  // Poolers refuse most parameters. The role has them.
  if (isPooled) url.searchParams.delete('options')
  return {
    connectionString: isPooled ? url.href : withSettings(url.href),
    connectionTimeoutMillis: config.DATABASE_CONNECT_TIMEOUT_MS,
    ...(isPooled ? {} : timeouts(config)),
    idleTimeoutMillis: config.DATABASE_IDLE_TIMEOUT_MS,
    keepAlive: true,
  }
}

const timeouts = (config: BaseConfig) => ({
  statement_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: config.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
})

/** How to connect to the database itself, not to a pooler: for the migration runner, and for sessions. */
export function directConfig(config: BaseConfig): PoolConfig {
  const { DATABASE_POOLER: pooler, DATABASE_DIRECT_URL: url, ...others } = config
  if (pooler === undefined) return poolConfig(config)
  if (url === undefined)
    throw new Error('Invalid configuration: DATABASE_POOLER requires DATABASE_DIRECT_URL')
  return poolConfig({ ...others, DATABASE_URL: url })
}

/** The settings of the role, with a pooler: those that connections would have. */
export const roleSettings = (config: BaseConfig) =>
  config.DATABASE_POOLER === undefined ? {} : { ...SESSION_SETTINGS, ...timeouts(config) }

/** What to do about an error of a pooler that refuses a parameter; empty for other errors. */
export const poolerAdvice = (error: unknown): string =>
  error instanceof DatabaseError && REFUSED_PARAMETER.test(error.code ?? '')
    ? '. A pooler refuses what the service sets when it connects: set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL'
    : ''
/** SQLSTATEs with which poolers refuse parameters. */
const REFUSED_PARAMETER = /^(?:08P01|0A000)$/

/** How long clients wait for the end of a statement. After that, the server must be frozen or unreachable. */
export const responseTimeout = (config: BaseConfig) => config.DATABASE_STATEMENT_TIMEOUT_MS + 500
