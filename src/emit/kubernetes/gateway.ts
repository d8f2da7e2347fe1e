import type { Platform } from '../../model/platform.ts'
import { GATEWAY_PORT, PATHS } from '../gateway/envoy-names.ts'
import { STATS_PATH, STATS_PORT } from '../gateway/stats.ts'
import { ENVOY_CHECK, ENVOY_USER } from '../images/containers.ts'
import { commented, flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { contentHash, labels, scrapeAnnotations, selector } from './metadata.ts'
import { gatewayPolicy } from './network.ts'
import {
  CONTAINER_SECURITY,
  disruptionBudget,
  GATEWAY_CREDENTIALS,
  GATEWAY_SETTINGS,
  podSecurity,
  STOP_DELAY,
  resources,
  ROLLING_UPDATE,
  SECRET_MODE,
  topologySpreadConstraints,
  TMP_MOUNT,
  TMP_VOLUME,
} from './pods.ts'
import { baseImageName } from './services.ts'

/** Longer than `STOP_DELAY` and the 10 s in which the gateway finishes open requests. */
const STOP_S = 30
const MEMORY = 512
const START_S = 60
const TOKENS_VOLUME = {
  name: 'secrets',
  secret: {
    secretName: GATEWAY_CREDENTIALS,
    defaultMode: SECRET_MODE,
    items: flow([{ key: 'tokens.json', path: 'tokens.json' }]),
  },
}
const CONFIGURATION = '/etc/envoy/envoy.yaml'

/**
 * The gateway: its Deployment, Service, ConfigMap, PodDisruptionBudget and NetworkPolicy. `configuration` is
 * `gateway/envoy.yaml`.
 */
export function gatewayObjects(platform: Platform, configuration: string): YamlObject[] {
  const pods = selector('gateway', 'gateway')
  const metadata = { name: 'gateway', labels: labels(platform, 'gateway', 'gateway') }
  const configMap = `gateway-${contentHash(configuration)}`
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        revisionHistoryLimit: 3,
        selector: { matchLabels: pods },
        strategy: ROLLING_UPDATE,
        template: {
          metadata: { labels: metadata.labels, ...scrapeAnnotations(platform, STATS_PORT, STATS_PATH) },
          spec: {
            ...podSecurity(ENVOY_USER),
            terminationGracePeriodSeconds: STOP_S,
            topologySpreadConstraints: topologySpreadConstraints('gateway', 'gateway'),
            containers: [gatewayContainer(platform)],
            volumes: [
              ...(platform.authentication === undefined ? [] : [TOKENS_VOLUME]),
              { name: 'configuration', configMap: flow({ name: configMap }) },
              TMP_VOLUME,
            ],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        type: commented('The overlays decide how the gateway is reached from outside.', 'ClusterIP'),
        selector: pods,
        ports: [flow({ name: 'http', port: 80, targetPort: 'http' })],
      },
    },
    disruptionBudget(metadata, pods),
    gatewayPolicy(platform),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: commented('Ends in a hash of the content, so that a change is rolled out.', configMap),
        labels: metadata.labels,
      },
      data: { 'envoy.yaml': configuration },
    },
  ]
}

function gatewayContainer(platform: Platform): Yaml {
  const check = { exec: { command: flow(ENVOY_CHECK) } }
  return {
    name: 'gateway',
    image: baseImageName(platform, 'gateway'),
    imagePullPolicy: 'IfNotPresent',
    envFrom: [
      {
        configMapRef: commented(
          'CORS_ORIGINS and the other variables of gateway/configure.sh. deploy.sh creates it.',
          flow({ name: GATEWAY_SETTINGS, optional: true }),
        ),
      },
    ],
    ports: [
      flow({ name: 'http', containerPort: GATEWAY_PORT }),
      ...(platform.metrics === undefined ? [] : [flow({ name: 'stats', containerPort: STATS_PORT })]),
    ],
    startupProbe: { ...check, periodSeconds: 1, timeoutSeconds: 3, failureThreshold: START_S },
    readinessProbe: { ...check, periodSeconds: 5, timeoutSeconds: 3 },
    livenessProbe: { tcpSocket: flow({ port: 'http' }), periodSeconds: 10, timeoutSeconds: 3 },
    ...STOP_DELAY,
    resources: resources(MEMORY, '100m'),
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [
      ...(platform.authentication === undefined
        ? []
        : [flow({ name: 'secrets', mountPath: PATHS.secrets, readOnly: true })]),
      flow({ name: 'configuration', mountPath: CONFIGURATION, subPath: 'envoy.yaml', readOnly: true }),
      TMP_MOUNT,
    ],
  }
}
