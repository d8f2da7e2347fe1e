import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../platform.ts'

type Labels = Readonly<Record<string, string>>
interface KubernetesObject {
  readonly kind: string
  readonly metadata: { readonly labels: Labels }
  readonly spec: unknown
}
interface MonitorSpec {
  readonly jobLabel: string
  readonly selector: { readonly matchLabels: Labels }
}
/** What a monitor selects: a Service, or the pods of a Deployment. */
interface Target {
  readonly labels: Labels
  readonly ports: readonly { readonly name: string }[]
}

const DEFINITION = `MyShop: project { #provider(kube); #authMethod(email); METRICS }
BigHome: service { name: string; #auth; }
Stay: service { home: BigHome; Remind: job {} }`

function objectsOf(definition: string): KubernetesObject[] {
  return emitProject(platformOf(definition))
    .filter(({ path }) => /^kube\/(?:base|components)\//.test(path))
    .flatMap(({ content }) => parseAllDocuments(content).map((each) => each.toJSON() as KubernetesObject))
}

test('the Prometheus Operator finds every service and the gateway, under the names that alerts expect', () => {
  const objects = objectsOf(DEFINITION.replace('METRICS', '#metrics(prometheus);'))
  const ofKind = (wanted: string) => objects.filter(({ kind }) => kind === wanted)
  const services = ofKind('Service').map(
    ({ metadata: { labels }, spec }): Target => ({ labels, ports: (spec as Target).ports }),
  )
  const pods = ofKind('Deployment').map(({ spec }): Target => {
    const { template } = spec as { template: { metadata: Target; spec: { containers: [Target] } } }
    return { labels: template.metadata.labels, ports: template.spec.containers[0].ports }
  })
  /** The jobs of the targets that the only monitor of a kind selects, with one of their ports. */
  function jobs(kind: string, port: string, targets: readonly Target[]): string[] {
    const [monitor] = ofKind(kind).map(({ spec }) => spec as MonitorSpec)
    if (monitor === undefined) return []
    expect(JSON.stringify(monitor)).toContain(`"port":"${port}"`)
    const { jobLabel, selector } = monitor
    return targets
      .filter(({ labels }) =>
        Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value),
      )
      .filter(({ ports }) => ports.some(({ name }) => name === port))
      .map(({ labels }) => labels[jobLabel] ?? '')
  }
  const found = [...jobs('ServiceMonitor', 'metrics', services), ...jobs('PodMonitor', 'stats', pods)]
  expect(found.sort()).toEqual(['auth', 'big-home', 'gateway', 'stay'])
  const [rules] = ofKind('PrometheusRule')
  for (const job of found) expect(JSON.stringify(rules)).toContain(`job=\\"${job}\\"`)
})

test('alerts of the Prometheus Operator are about their own namespace only', () => {
  interface Rules {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string; readonly labels: Labels }[]
    }[]
  }
  const objects = objectsOf(DEFINITION.replace('METRICS', '#metrics(prometheus);'))
  const rules = objects
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => (spec as Rules).groups.flatMap((group) => group.rules))
  const expressionOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr
  expect(expressionOf('GatewayDown')).toBe('(sum(up{namespace="my-shop",job="gateway"}) or vector(0)) < 1')
  expect(expressionOf('BigHomeErrors')).toBe(
    'sum(rate(big_home_request_failure_total{namespace="my-shop",error_code=~"5.."}[5m])) / sum(rate(big_home_request_seconds_count{namespace="my-shop"}[5m])) > 0.05',
  )
  expect(expressionOf('StayPoolSaturated')).toBe(
    'max(stay_database_connections{namespace="my-shop",state="busy"} / ignoring(state) stay_database_connections_max{namespace="my-shop"}) > 0.9',
  )
  expect(expressionOf('StayJobsDead')).toBe('max(stay_jobs_dead{namespace="my-shop"}) > 0')
  for (const { expr, labels } of rules) {
    expect(expr).not.toMatch(/\bup\{(?!namespace)|\w_(?:total|count|bucket|up|migrated)(?!\w|\{namespace)/)
    expect(labels).toHaveProperty('namespace', 'my-shop')
  }
})

test('without #metrics nothing names the Prometheus Operator', () => {
  const files = emitProject(platformOf(DEFINITION.replace('METRICS', '')))
  expect(files.filter(({ path, content }) => `${path}${content}`.includes('prometheus-operator'))).toEqual([])
})
