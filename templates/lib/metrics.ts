import type { Handler } from 'hono'
import { DatabaseError, type Pool } from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { matchedRoute, onResponse } from './api.ts'
import type { createProbe } from './migration-state.ts'
import { observeStatements } from './database.ts'

/** Upper bounds of the histograms, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Requests to routes of setup.ts, and requests that match no route. */
const CUSTOM = 'custom'
const OTHER = 'other'
/** Statements by their first word. */
const QUERY_TYPES = ['select', 'insert', 'update', 'delete', 'transaction', 'other'] as const
type QueryType = (typeof QUERY_TYPES)[number]
const TRANSACTIONS = ['begin', 'commit', 'rollback', 'savepoint', 'release']
const REASONS = ['connection', 'constraint', 'conflict', 'disk_full', 'timeout', 'other'] as const

/**
 * Creates the metrics of a service, and returns what serves them. Their names begin with `prefix`. `requestTypes` has
 * the `request_type` of each route: `GET /home/:id`. Every label has a fixed set of values.
 */
export function createMetrics(prefix: string, requestTypes: Readonly<Record<string, string>>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  observeRequests(prefix, requestTypes, registry)

  return (pool: Pool, probe: ReturnType<typeof createProbe>): Handler => {
    measureStatements(prefix, pool, registry)
    const gauge = (name: string, help: string) =>
      new Gauge({ name: `${prefix}_database_${name}`, help, registers: [registry] })
    const up = gauge('up', 'Whether the database responds')
    const migrated = gauge('migrated', 'Whether the database has the migrations that the code needs')
    const max = gauge('connections_max', 'Maximum number of connections to the database')
    const waiting = gauge('connections_waiting', 'Requests that wait for a connection to the database')
    const connections = new Gauge({
      name: `${prefix}_database_connections`,
      help: 'Open connections to the database',
      labelNames: ['state'],
      registers: [registry],
    })
    return async (c) => {
      up.set(Number(await probe.isUp()))
      migrated.set(Number(await probe.isReady()))
      max.set(pool.options.max)
      waiting.set(pool.waitingCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
    }
  }
}

function observeRequests(
  prefix: string,
  requestTypes: Readonly<Record<string, string>>,
  registry: Registry,
): void {
  const failure = new Counter({
    name: `${prefix}_request_failure_total`,
    help: 'Requests that failed, by the status of the response',
    labelNames: ['request_type', 'error_code'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: `${prefix}_request_seconds`,
    help: 'Duration of requests, without the time in which lists are sent',
    labelNames: ['request_type'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const success = new Counter({
    name: `${prefix}_request_success_total`,
    help: 'Requests that succeeded',
    labelNames: ['request_type'],
    registers: [registry],
  })
  // Counting takes less time than looking up the series of a label.
  const series = new Map(
    [...Object.values(requestTypes), CUSTOM, OTHER].map((type) => {
      // A rate needs a value from before the first request or failure.
      seconds.zero({ request_type: type })
      success.inc({ request_type: type }, 0)
      failure.inc({ request_type: type, error_code: '500' }, 0)
      return [type, seconds.labels(type)]
    }),
  )
  onResponse((c, duration) => {
    const route = matchedRoute(c)
    const type = route === undefined ? OTHER : (requestTypes[`${route.method} ${route.path}`] ?? CUSTOM)
    series.get(type)?.observe(duration)
    if (c.res.status < 400) success.inc({ request_type: type })
    else failure.inc({ request_type: type, error_code: c.res.status })
  })
}

function measureStatements(prefix: string, pool: Pool, registry: Registry): void {
  const seconds = new Histogram({
    name: `${prefix}_database_request_seconds`,
    help: 'Duration of statements',
    labelNames: ['query_type'],
    buckets: BUCKETS,
    registers: [registry],
  })
  for (const query_type of QUERY_TYPES) seconds.zero({ query_type })
  const series = new Map(QUERY_TYPES.map((type) => [type, seconds.labels(type)]))
  const failure = new Counter({
    name: `${prefix}_database_failure_total`,
    help: 'Statements that failed',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of REASONS) failure.inc({ reason }, 0)

  observeStatements(pool, (text) => {
    const started = performance.now()
    return (error) => {
      series.get(queryType(text))?.observe((performance.now() - started) / 1000)
      if (error !== undefined) failure.inc({ reason: reasonOf(error) })
    }
  })
}

function queryType(text: string): QueryType {
  const [word = ''] = /^\w+/.exec(text) ?? []
  const verb = word.toLowerCase()
  if (TRANSACTIONS.includes(verb)) return 'transaction'
  return QUERY_TYPES.find((type) => type === verb) ?? 'other'
}

/** Why a statement failed. */
function reasonOf(error: unknown): (typeof REASONS)[number] {
  if (!(error instanceof DatabaseError)) return 'connection'
  const { code = '' } = error
  if (code === '53100') return 'disk_full'
  if (code === '57014') return 'timeout'
  if (code === '40001' || code === '40P01') return 'conflict'
  if (code.startsWith('23')) return 'constraint'
  return /^(?:08|28|53|57)/.test(code) ? 'connection' : 'other'
}
