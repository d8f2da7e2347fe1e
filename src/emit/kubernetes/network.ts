import type { DatabaseServer } from '../../model/database-servers.ts'
import { type DeployedService, deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import { GATEWAY_PORT } from '../gateway/envoy-names.ts'
import { STATS_PORT } from '../gateway/stats.ts'
import { POSTGRES_PORT } from '../images/containers.ts'
import { flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { type Component, labels, namespaceOf, selector } from './metadata.ts'

/** Denies all that no other policy allows. No service has a dot in its name. */
export function denyAll(platform: Platform): YamlObject {
  return policy({ name: 'deny.all', labels: labels(platform, 'deny.all', 'namespace') }, {}, [])
}

/** The gateway reaches the API of a service; the services that call it reach its second port. */
export function servicePolicy(platform: Platform, deployed: DeployedService): YamlObject {
  const { directory, port, internalPort } = deployed
  const callers = deployedServices(platform).filter(({ calls }) =>
    calls.some((target) => target.directory === directory),
  )
  const internal = callers.map((caller) => pods(caller.directory, 'service'))
  return policy(
    { name: directory, labels: labels(platform, directory, 'service') },
    selector(directory, 'service'),
    [
      allow(port, [pods('gateway', 'gateway')]),
      ...(internal.length === 0 ? [] : [allow(internalPort, internal)]),
    ],
  )
}

/** Services and their migrations reach the server of their databases. */
export function databasePolicy(platform: Platform, { name, services }: DatabaseServer): YamlObject {
  const clients = services.flatMap(({ directory }) => [
    pods(directory, 'service'),
    pods(directory, 'migration'),
  ])
  return policy({ name, labels: labels(platform, name, 'database') }, selector(name, 'database'), [
    allow(POSTGRES_PORT, clients),
  ])
}

/** Everyone reaches the gateway. */
export function gatewayPolicy(platform: Platform): YamlObject {
  return policy(
    { name: 'gateway', labels: labels(platform, 'gateway', 'gateway') },
    selector('gateway', 'gateway'),
    [{ ports: [flow({ port: GATEWAY_PORT })] }],
  )
}

/** The name of the policy that overlays patch if Prometheus is in another namespace. */
export const METRICS_POLICY = 'prometheus.metrics'

/** Prometheus reaches the metrics of all services and of the gateway, and nothing else does. */
export function metricsPolicy(platform: Platform): YamlObject {
  const ports = new Set([...deployedServices(platform).map(({ metricsPort }) => metricsPort), STATS_PORT])
  return {
    ...policy({ name: METRICS_POLICY, labels: labels(platform, METRICS_POLICY, 'monitoring') }, {}, []),
    spec: {
      podSelector: {
        matchLabels: flow({ 'app.kubernetes.io/part-of': namespaceOf(platform) }),
        matchExpressions: [
          flow({ key: 'app.kubernetes.io/component', operator: 'In', values: ['service', 'gateway'] }),
        ],
      },
      policyTypes: flow(['Ingress']),
      ingress: [
        {
          ports: Array.from(ports, (port) => flow({ port })),
          from: [{ podSelector: { matchLabels: flow({ 'app.kubernetes.io/name': 'prometheus' }) } }],
        },
      ],
    },
  }
}

function pods(name: string, component: Component): YamlObject {
  return { podSelector: { matchLabels: selector(name, component) } }
}

function allow(port: number, from: readonly Yaml[]): YamlObject {
  return { ports: [flow({ port })], from }
}

function policy(metadata: YamlObject, matchLabels: YamlObject, ingress: readonly Yaml[]): YamlObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: Object.keys(matchLabels).length === 0 ? {} : { matchLabels },
      policyTypes: flow(['Ingress']),
      // Kubernetes leaves out an empty list, so that a diff would show it.
      ...(ingress.length === 0 ? {} : { ingress }),
    },
  }
}
