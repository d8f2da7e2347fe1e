import { JOB_CONNECTIONS } from '../../model/capacity.ts'
import { connectionsPerService } from '../../model/database-servers.ts'
import { type DeployedService, deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { hasQueue } from '../database/jobs.ts'
import { flow, type YamlObject, yamlDocuments } from '../codegen/yaml.ts'
import { labels, namespaceOf } from './metadata.ts'
import { METRICS_POLICY } from './network.ts'

const KUSTOMIZATION = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' }

/** `kube/overlays/local`: a cluster for development. */
export function localOverlay(): GeneratedFile[] {
  const content = yamlDocuments(
    'For a cluster on this machine: the gateway is reached at a port of the node. All workloads have one replica\nuntil `./deploy.sh scale` changes it.',
    [
      {
        ...KUSTOMIZATION,
        resources: flow(['../../base']),
        patches: [gatewayType('NodePort')],
      },
    ],
  )
  return [{ path: 'kube/overlays/local/kustomization.yaml', content, owner: 'generated' }]
}

const PRODUCTION = `For production. This file is yours: it is written once. Deploy it with \`OVERLAY=production source deploy.sh\`.
It can also change:

An external or operator-run database (CloudNativePG, RDS) instead of a StatefulSet. Create a Secret with its URL,
kubectl -n {namespace} create secret generic {service}-database --from-literal=url=postgres://user:password@host/database
and remove the {objects} with this patch:
- {target: {labelSelector: 'app.kubernetes.io/name={database}'}, patch: '{$patch: delete, apiVersion: x, kind: x, metadata: {name: x}}'}

The storage class of databases:
- target: {kind: StatefulSet}
  patch: '- {op: add, path: /spec/volumeClaimTemplates/0/spec/storageClassName, value: fast}'

The nodes on which pods run, those of migrations too:
- target: {kind: Deployment|StatefulSet|Job}
  patch: '- {op: add, path: /spec/template/spec/nodeSelector, value: {pool: {namespace}}}'

TLS: put an Ingress or a Gateway of your cluster in front of the Service \`gateway\`, change its type to ClusterIP below,
and set TRUSTED_PROXIES=1.

Addresses of clients, which limit logins, if nodes replace them by their own:
- target: {kind: Service, name: gateway}
  patch: '- {op: add, path: /spec/externalTrafficPolicy, value: Local}'`

const PROMETHEUS = `

The namespace of Prometheus (here \`monitoring\`), if it is not that of the platform:
- target: {kind: NetworkPolicy, name: ${METRICS_POLICY}}
  patch: '- {op: add, path: /spec/ingress/0/from/0/namespaceSelector, value: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}'

The Prometheus Operator, if the cluster has it, scrapes the platform and loads its alerts with this line:
components: [../../components/prometheus-operator]`

/** `kube/overlays/production`, which belongs to the user. */
export function productionOverlay(platform: Platform): GeneratedFile[] {
  const [first] = platform.services
  const head = `${PRODUCTION}${platform.metrics === undefined ? '' : PROMETHEUS}`
    .replaceAll(
      '{objects}',
      platform.databaseServer === 'shared' ? 'Service of its database' : 'StatefulSet and its Services',
    )
    .replaceAll('{namespace}', namespaceOf(platform))
    .replaceAll('{service}', first?.directory ?? 'service')
    .replaceAll('{database}', first?.databaseDirectory ?? 'service-db')
  const scaled = [
    ...deployedServices(platform).map((each) => [each.directory, maxPods(platform, each)] as const),
    ['gateway', maxPods(platform)] as const,
  ]
  return [
    {
      path: 'kube/overlays/production/kustomization.yaml',
      content: yamlDocuments(head, [
        {
          ...KUSTOMIZATION,
          namespace: namespaceOf(platform),
          resources: flow(['../../base', 'autoscaling.yaml']),
          patches: [gatewayType('LoadBalancer')],
        },
      ]),
      owner: 'user',
    },
    {
      path: 'kube/overlays/production/autoscaling.yaml',
      content: yamlDocuments(
        'The number of pods of each workload, scaled by CPU load. Requires metrics-server. This file is yours: add the\nservices that you add.',
        scaled.map(([name, most]) => autoscaler(platform, name, most)),
      ),
      owner: 'user',
    },
  ]
}

function gatewayType(type: string): YamlObject {
  return {
    target: flow({ kind: 'Service', name: 'gateway' }),
    patch: `- {op: replace, path: /spec/type, value: ${type}}`,
  }
}

/** Each pod opens up to 10 connections, and one to check the database; those with jobs open more. */
const CONNECTIONS_PER_POD = 11
/** Connections for migrations and backups. */
const OTHER_CONNECTIONS = 4

/** How many pods a service, or the gateway, may have, apart from the one that a rollout adds. */
function maxPods(platform: Platform, deployed?: DeployedService): number {
  const hasJobs = deployed !== undefined && 'jobs' in deployed && hasQueue(deployed)
  const each = CONNECTIONS_PER_POD + (hasJobs ? JOB_CONNECTIONS : 0)
  return Math.floor((connectionsPerService(platform) - OTHER_CONNECTIONS) / each) - 1
}

function autoscaler(platform: Platform, name: string, most: number): YamlObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labels(platform, name, 'autoscaling') },
    spec: {
      scaleTargetRef: flow({ apiVersion: 'apps/v1', kind: 'Deployment', name }),
      minReplicas: 2,
      maxReplicas: most,
      metrics: [
        {
          type: 'Resource',
          resource: flow({ name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } }),
        },
      ],
    },
  }
}
