import type { DeployedService } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import {
  POSTGRES_COMMAND,
  POSTGRES_IMAGE,
  POSTGRES_PORT,
  POSTGRES_USER,
  postgresCheck,
  postgresEnvironment,
  SECRETS_PATH,
} from '../images/containers.ts'
import { readTemplate } from '../codegen/templates.ts'
import { commented, flow, type YamlObject } from '../codegen/yaml.ts'
import { labels, selector, truncatedName } from './metadata.ts'
import { databasePolicy } from './network.ts'
import { CONTAINER_SECURITY, podSecurity, resources, SECRET_MODE, TMP_MOUNT, TMP_VOLUME } from './pods.ts'

/** How long the server may take to shut down in seconds. */
const STOP_S = 60
/** How long a start, which may create the cluster or recover it after a crash, may take in seconds. */
const START_S = 600
/** A label of each pod is the name of its StatefulSet, a hyphen and a hash of 10 characters. */
const MAX_STATEFUL_SET_NAME = 63 - 11
const SETUP = 'database-setup'
const STORAGE = '10Gi'

/** The database of a service: its StatefulSet with a volume, its Services and its NetworkPolicy. */
export function databaseObjects(platform: Platform, deployed: DeployedService): YamlObject[] {
  const { databaseDirectory, database } = deployed
  const common = labels(platform, databaseDirectory, 'database')
  const pods = selector(databaseDirectory, 'database')
  const check = { exec: { command: flow(postgresCheck(database)) } }
  // Two hyphens, so that it is the name of no service.
  const governing = truncatedName(`${databaseDirectory}--pods`, 63)
  const ports = [flow({ name: 'postgres', port: POSTGRES_PORT, targetPort: 'postgres' })]
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: truncatedName(databaseDirectory, MAX_STATEFUL_SET_NAME), labels: common },
      spec: {
        serviceName: governing,
        replicas: 1,
        selector: { matchLabels: pods },
        template: {
          metadata: { labels: common },
          spec: {
            ...podSecurity(POSTGRES_USER),
            terminationGracePeriodSeconds: STOP_S,
            containers: [
              {
                name: 'postgres',
                image: POSTGRES_IMAGE,
                args: flow(POSTGRES_COMMAND),
                env: Object.entries(postgresEnvironment(database)).map(([name, value]) => ({ name, value })),
                ports: [flow({ name: 'postgres', containerPort: POSTGRES_PORT })],
                startupProbe: { ...check, periodSeconds: 1, timeoutSeconds: 3, failureThreshold: START_S },
                // Each check starts a process, which takes a tenth of a second of one core.
                readinessProbe: { ...check, periodSeconds: 10, timeoutSeconds: 3 },
                livenessProbe: { ...check, periodSeconds: 20, timeoutSeconds: 5 },
                resources: resources(deployed.databaseMemory),
                securityContext: CONTAINER_SECURITY,
                volumeMounts: [
                  flow({ name: 'data', mountPath: '/var/lib/postgresql' }),
                  flow({ name: 'secrets', mountPath: SECRETS_PATH, readOnly: true }),
                  flow({ name: 'setup', mountPath: '/docker-entrypoint-initdb.d', readOnly: true }),
                  flow({ name: 'run', mountPath: '/var/run/postgresql' }),
                  TMP_MOUNT,
                ],
              },
            ],
            volumes: [
              { name: 'secrets', secret: flow({ secretName: databaseDirectory, defaultMode: SECRET_MODE }) },
              { name: 'setup', configMap: flow({ name: SETUP, defaultMode: 0o550 }) },
              { name: 'run', emptyDir: flow({ medium: 'Memory', sizeLimit: '1Mi' }) },
              TMP_VOLUME,
            ],
          },
        },
        volumeClaimTemplates: [
          {
            metadata: flow({ name: 'data' }),
            spec: {
              accessModes: flow(['ReadWriteOnce']),
              resources: flow({ requests: { storage: STORAGE } }),
            },
          },
        ],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: databaseDirectory, labels: common },
      spec: { selector: pods, ports },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: governing, labels: common },
      spec: {
        clusterIP: commented(
          'For the names of the pods. Clients use the Service above, whose address stays when a pod is replaced.',
          'None',
        ),
        selector: pods,
        ports,
      },
    },
    databasePolicy(platform, deployed),
  ]
}

/** What all databases run when they start for the first time. */
export function databaseSetup(platform: Platform): YamlObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: SETUP, labels: labels(platform, SETUP, 'database') },
    data: { 'create-role.sh': readTemplate('images/create-role.sh') },
  }
}
