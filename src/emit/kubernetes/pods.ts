import { commented, flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { selector, type Component } from './metadata.ts'

/** How long traffic may take to notice that a pod is about to stop, in seconds. */
const PRE_STOP_S = 5

/** Requests of a pod; its memory is limited, but not its share of idle processors. */
export function resources(memory: number, cpu = '50m'): YamlObject {
  return {
    requests: flow({ cpu, memory: `${Math.min(memory, 128)}Mi` }),
    limits: flow({ memory: `${memory}Mi` }),
  }
}

/** Settings of every container: no capabilities, no way to gain any, and a read-only file system. */
export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: flow({ drop: ['ALL'] }),
}

/** Settings of every pod: not root, no token of the cluster's API, no variables for every Service. */
export function podSecurity(user: number): YamlObject {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: flow({ type: 'RuntimeDefault' }),
    },
  }
}

/** A writable `/tmp`, in memory. */
export const TMP_VOLUME = { name: 'tmp', emptyDir: flow({ medium: 'Memory', sizeLimit: '64Mi' }) }
export const TMP_MOUNT = flow({ name: 'tmp', mountPath: '/tmp' })

/** The Secret with the credentials of the gateway's consumer, which deploy.sh creates. */
export const GATEWAY_CREDENTIALS = 'gateway-credentials'
/** The ConfigMap with the variables of the gateway, which deploy.sh creates. */
export const GATEWAY_SETTINGS = 'gateway-settings'
/** The user of the pod can read the files of a Secret, and nobody can change them. */
export const SECRET_MODE = 0o440

/** Keeps the pods of a workload on different nodes and in different zones, as far as possible. */
export function topologySpreadConstraints(name: string, component: Component): Yaml[] {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selector(name, component) },
  }))
}

/** Starts a new pod before it stops an old one. */
export const ROLLING_UPDATE = {
  type: 'RollingUpdate',
  rollingUpdate: flow({ maxSurge: 1, maxUnavailable: 0 }),
}

/** Lets the pod serve until traffic no longer goes to it. SIGTERM comes after that. */
export const STOP_DELAY: YamlObject = {
  lifecycle: commented(
    'SIGTERM is sent once no new requests arrive.',
    flow({ preStop: { sleep: { seconds: PRE_STOP_S } } }),
  ),
}

/** Lets one pod at a time be evicted, for example when a node is drained. */
export function disruptionBudget(metadata: YamlObject, matchLabels: YamlObject): YamlObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels } },
  }
}
