import { type DeployedService, serviceKeyFiles } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import { SECRETS_PATH } from '../images/containers.ts'
import { serviceMemory, targetOf } from '../targets.ts'
import { commented, flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { labels, namespaceOf, scrapeAnnotations, selector } from './metadata.ts'
import { servicePolicy } from './network.ts'
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

/** Longer than `STOP_DELAY` and the 12 s in which a service finishes open requests. */
const STOP_S = 30
/** How long a process may take to listen. */
const START_S = 60
/** How long a pod may take to be ready before its rollout counts as failed. */
const PROGRESS_S = 300
/** The authentication service tells clients apart by the address that the gateway counts them by. */
const TRUSTED_PROXIES = {
  name: 'TRUSTED_PROXIES',
  valueFrom: { configMapKeyRef: flow({ name: GATEWAY_SETTINGS, key: 'TRUSTED_PROXIES', optional: true }) },
}

/** A service: its Deployment, Service, ServiceAccount, PodDisruptionBudget and NetworkPolicy. */
export function serviceObjects(platform: Platform, deployed: DeployedService): YamlObject[] {
  const { directory, port, internalPort, metricsPort } = deployed
  const metadata = { name: directory, labels: labels(platform, directory, 'service') }
  const pods = selector(directory, 'service')
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        revisionHistoryLimit: 3,
        progressDeadlineSeconds: PROGRESS_S,
        selector: { matchLabels: pods },
        strategy: ROLLING_UPDATE,
        template: {
          metadata: { labels: metadata.labels, ...scrapeAnnotations(platform, metricsPort, '/metrics') },
          spec: {
            serviceAccountName: directory,
            ...podSecurity(targetOf(deployed).image.user),
            terminationGracePeriodSeconds: STOP_S,
            topologySpreadConstraints: topologySpreadConstraints(directory, 'service'),
            containers: [serviceContainer(platform, deployed)],
            volumes: serviceVolumes(deployed, platform.authentication !== undefined),
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: pods,
        ports: [
          flow({ name: 'api', port, targetPort: 'api' }),
          flow({ name: 'internal', port: internalPort, targetPort: 'internal' }),
          ...(platform.metrics === undefined
            ? []
            : [flow({ name: 'metrics', port: metricsPort, targetPort: 'metrics' })]),
        ],
      },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    disruptionBudget(metadata, pods),
    servicePolicy(platform, deployed),
  ]
}

/** The name of a built image. deploy.sh replaces its tag, and puts `REGISTRY` before it. */
export function baseImageName(platform: Platform, directory: string): string {
  return `${platform.names.kebab}/${directory}`
}

function serviceContainer(platform: Platform, deployed: DeployedService): YamlObject {
  const { directory, port, internalPort, metricsPort, connections } = deployed
  return {
    name: directory,
    image: baseImageName(platform, directory),
    imagePullPolicy: 'IfNotPresent',
    env: [
      ...baseVariables(deployed),
      { name: 'DATABASE_POOL_SIZE', value: String(connections) },
      ...('entity' in deployed ? [] : [TRUSTED_PROXIES]),
    ],
    ports: [
      flow({ name: 'api', containerPort: port }),
      flow({ name: 'internal', containerPort: internalPort }),
      ...(platform.metrics === undefined ? [] : [flow({ name: 'metrics', containerPort: metricsPort })]),
    ],
    startupProbe: { ...probe('live'), periodSeconds: 1, failureThreshold: START_S },
    readinessProbe: { ...probe('ready'), periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 2 },
    livenessProbe: { ...probe('live'), periodSeconds: 10, timeoutSeconds: 3 },
    ...STOP_DELAY,
    resources: resources(serviceMemory(deployed)),
    securityContext: CONTAINER_SECURITY,
    volumeMounts: SERVICE_MOUNTS,
  }
}

function probe(path: 'live' | 'ready'): YamlObject {
  return { httpGet: flow({ path: `/health/${path}`, port: 'internal' }) }
}

/** How a service and its migrations find their database and settings. */
export function baseVariables(deployed: DeployedService): Yaml[] {
  return [
    externalUrl(deployed),
    { name: 'DATABASE_PASSWORD_FILE', value: `${SECRETS_PATH}/database-password` },
    { name: 'ENV_FILE', value: `${SECRETS_PATH}/env` },
  ]
}

/** The variable with the URL of an external database. */
export function externalUrl({ secretsDirectory }: DeployedService): Yaml {
  return {
    name: 'DATABASE_URL',
    valueFrom: commented('An external database, if the Secret exists.', {
      secretKeyRef: flow({ name: `${secretsDirectory}-database`, key: 'url', optional: true }),
    }),
  }
}

/** Of a service and its migrations. */
export const SERVICE_MOUNTS = [flow({ name: 'secrets', mountPath: SECRETS_PATH, readOnly: true }), TMP_MOUNT]

/** The password of a service's database, the credentials and keys if it needs them, and `<service>/.env`. */
export function serviceVolumes(deployed: DeployedService, needsCredentials: boolean): Yaml[] {
  const { directory, databaseDirectory } = deployed
  const credentials = needsCredentials ? ['gateway-credentials', ...serviceKeyFiles(deployed)] : []
  return [
    {
      name: 'secrets',
      projected: {
        defaultMode: SECRET_MODE,
        sources: [
          secretFile(databaseDirectory, 'database-password'),
          ...credentials.map((file) => secretFile(GATEWAY_CREDENTIALS, file)),
          { secret: commented('deploy.sh creates it.', flow({ name: `${directory}.env`, optional: true })) },
        ],
      },
    },
    TMP_VOLUME,
  ]
}

/** One key of a Secret, as a file of a projected volume, in a directory of it or at its top. */
export function secretFile(name: string, key: string, directory?: string): YamlObject {
  return {
    secret: flow({ name, items: [{ key, path: directory === undefined ? key : `${directory}/${key}` }] }),
  }
}

/** The namespace, whose pods must meet the Pod Security Standard `restricted`. */
export function namespaceObject(platform: Platform): YamlObject {
  const name = namespaceOf(platform)
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        ...labels(platform, name, 'namespace'),
        'pod-security.kubernetes.io/enforce': 'restricted',
      },
    },
  }
}
