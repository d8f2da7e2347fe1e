import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { emitObservability } from '../../../src/emit/observability/prometheus.ts'
import { platformOf } from '../platform.ts'

const files = new Map(
  emitObservability(
    platformOf(
      'MyShop: project { #authMethod(email); #metrics(prometheus); } BigHome: service { name: string; #auth; }',
    ),
  ).map(({ path, content }) => [path, content]),
)

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
      for (const { expr } of targets) expect(expr).not.toBe('')
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
