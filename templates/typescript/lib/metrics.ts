import type { Handler } from 'hono'
import { DatabaseError, type Pool } from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RouterRoute } from 'hono/types'
import type { createProbe } from './migration-state.ts'
import { matchedRoute, observeStatements, responseListeners } from './observe.ts'

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
 * Creates the metrics of a service. Their names begin with `prefix`. `requestTypes` has the `request_type` of each
 * route: `GET /home/:id`. Every label has a fixed set of values.
 */
export function createMetrics(prefix: string, requestTypes: Readonly<Record<string, string>>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  observeRequests(prefix, requestTypes, registry)

  /** Creates what serves the metrics. */
  function serve(pool: Pool, probe: ReturnType<typeof createProbe>): Handler {
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
      migrated.set(Number((await probe.findProblem()) === undefined))
      max.set(pool.options.max)
      waiting.set(pool.waitingCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
    }
  }
  return { registry, serve }
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
  const seconds = createHistogram(
    registry,
    `${prefix}_request_seconds`,
    'Duration of requests, without the time in which lists are sent',
  )
  const all = Array.from(new Set([...Object.values(requestTypes), CUSTOM, OTHER]), (request_type) => {
    // A rate needs a value from before the first failure.
    failure.inc({ request_type, error_code: '500' }, 0)
    return { request_type, observe: seconds({ request_type }), succeeded: 0 }
  })
  const success = new Counter({
    name: `${prefix}_request_success_total`,
    help: 'Requests that succeeded',
    labelNames: ['request_type'],
    registers: [],
    collect() {
      this.reset()
      for (const { request_type, succeeded } of all) this.inc({ request_type }, succeeded)
    },
  })
  registry.registerMetric(success)
  const byRoute = new Map<RouterRoute | undefined, (typeof all)[number] | undefined>()
  responseListeners.push((c, duration) => {
    const route = matchedRoute(c)
    let series = byRoute.get(route)
    if (series === undefined) {
      const type = route === undefined ? OTHER : (requestTypes[`${route.method} ${route.path}`] ?? CUSTOM)
      series = all.find(({ request_type }) => request_type === type)
      byRoute.set(route, series)
    }
    if (series === undefined) return
    series.observe(duration)
    if (c.res.status < 400) series.succeeded++
    else failure.inc({ request_type: series.request_type, error_code: c.res.status })
  })
}

function measureStatements(prefix: string, pool: Pool, registry: Registry): void {
  const seconds = createHistogram(registry, `${prefix}_database_request_seconds`, 'Duration of statements')
  const series = new Map(QUERY_TYPES.map((query_type) => [query_type, seconds({ query_type })]))
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
      series.get(queryType(text))?.((performance.now() - started) / 1000)
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

/**
 * Registers a histogram, and returns what makes its series. Those of prom-client find their series by a string at each
 * observation, which takes ten times as long.
 */
function createHistogram(registry: Registry, name: string, help: string) {
  const all: { readonly labels: object; readonly counts: number[]; sum: number }[] = []
  const values = () =>
    all.flatMap(({ labels, counts, sum }) => {
      let count = 0
      const buckets = counts.map((each, index) => {
        count += each
        return {
          metricName: `${name}_bucket`,
          labels: { ...labels, le: BUCKETS[index] ?? '+Inf' },
          value: count,
        }
      })
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ]
    })
  const metric = new Histogram({ name, help, registers: [registry] })
  Object.assign(metric, {
    getForPromString: async () => ({ name, help, type: 'histogram', values: values() }),
  })
  return (labels: object) => {
    const series = { labels, counts: Array.from({ length: BUCKETS.length + 1 }, () => 0), sum: 0 }
    all.push(series)
    return (seconds: number): void => {
      let index = 0
      while (seconds > (BUCKETS[index] ?? Infinity)) index++
      series.sum += seconds
      series.counts[index] = (series.counts[index] ?? 0) + 1
    }
  }
}
