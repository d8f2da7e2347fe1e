import { parser } from '@prometheus-io/lezer-promql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { emitObservability } from '../../../src/emit/observability/prometheus.ts'
import { deployedServices } from '../../../src/model/deployed-services.ts'
import { metricNames } from '../../../src/model/metrics.ts'
import { platformOf } from '../platform.ts'

const platform = platformOf(
  'MyShop: project { #authMethod(email); #metrics(prometheus); } BigHome: service { name: string; #auth; }',
)
const files = new Map(emitObservability(platform).map(({ path, content }) => [path, content]))

/** What services, Node.js, Envoy and Prometheus itself measure. */
const METRICS: ReadonlySet<string> = new Set([
  ...deployedServices(platform).flatMap((service) =>
    Object.values(metricNames(service)).flatMap((name) =>
      name.endsWith('_seconds') ? [`${name}_bucket`, `${name}_count`] : name,
    ),
  ),
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'envoy_http_downstream_rq_xx',
  'envoy_http_downstream_rq_time_bucket',
  'envoy_http_downstream_cx_active',
  'up',
])

/** The metrics that an expression of PromQL selects. Throws if it is not valid. */
function metricsIn(expression: string): string[] {
  const metrics: string[] = []
  parser.parse(expression).iterate({
    enter: ({ type, node }) => {
      if (type.isError) throw new Error(`Invalid PromQL at ${node.from}: ${expression}`)
      if (type.name !== 'VectorSelector') return
      const name = node.getChild('Identifier')
      metrics.push(name === null ? '' : expression.slice(name.from, name.to))
    },
  })
  return metrics
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly refId: string; readonly expr: string }[]
}

test('there is a dashboard of the platform and one of each service', () => {
  const paths = [...files.keys()].filter((path) => path.startsWith('grafana/dashboards/'))
  expect(paths).toEqual([
    'grafana/dashboards/_platform.json',
    'grafana/dashboards/auth.json',
    'grafana/dashboards/big-home.json',
  ])
  const ids = paths.map((path) => (JSON.parse(files.get(path) ?? '') as { uid: string }).uid)
  expect(new Set(ids).size).toBe(3)
  // Grafana accepts at most 40 of these characters.
  for (const uid of ids) expect(uid).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
})

test.each([...files.keys()].filter((path) => path.endsWith('.json')))(
  'the panels of %s have ids, places and expressions of their own',
  (path) => {
    const { panels, schemaVersion } = JSON.parse(files.get(path) ?? '') as {
      panels: Panel[]
      schemaVersion: number
    }
    expect(schemaVersion).toBe(39)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
    expect(new Set(places).size).toBe(panels.length)
    for (const { type, gridPos, targets } of panels) {
      expect(type).toBe('timeseries')
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      expect(targets.length).toBeGreaterThan(0)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      for (const { expr } of targets) {
        const metrics = metricsIn(expr)
        expect(metrics.length, expr).toBeGreaterThan(0)
        expect(metrics.filter((metric) => !METRICS.has(metric))).toEqual([])
      }
    }
  },
)

test('Grafana finds the dashboards and Prometheus', () => {
  const read = (path: string) => parse(files.get(`grafana/provisioning/${path}`) ?? '') as unknown
  expect(read('datasources/prometheus.yaml')).toMatchObject({
    datasources: [{ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true }],
  })
  expect(read('dashboards/dashboards.yaml')).toMatchObject({
    providers: [{ type: 'file', options: { path: '/etc/grafana/dashboards' } }],
  })
})
