import type { DatabaseServer } from '../../model/database-servers.ts'
import type { Platform } from '../../model/platform.ts'
import {
  INIT_SCRIPTS_PATH,
  initialDatabase,
  POSTGRES_IMAGE,
  POSTGRES_PORT,
  POSTGRES_USER,
  postgresCheck,
  postgresCommand,
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
/** The ConfigMap with the script that sets databases up. */
const SETUP = 'database-setup'
const STORAGE = '10Gi'
/** The scripts of `databaseSetup`. */
export const SETUP_VOLUME = { name: 'setup', configMap: flow({ name: SETUP, defaultMode: 0o550 }) }

/** The name of the StatefulSet of a server. */
export function statefulSetName({ name }: DatabaseServer): string {
  return truncatedName(name, MAX_STATEFUL_SET_NAME)
}

/** The Postgres of one service or of all: its StatefulSet with a volume, its Services and its NetworkPolicy. */
export function databaseObjects(platform: Platform, server: DatabaseServer): YamlObject[] {
  const { name, services, memory, sharing } = server
  const common = labels(platform, name, 'database')
  const pods = selector(name, 'database')
  const check = { exec: { command: flow(postgresCheck(initialDatabase(server))) } }
  // Two hyphens, so that it is the name of no service.
  const governing = truncatedName(`${name}--pods`, 63)
  const ports = [flow({ name: 'postgres', port: POSTGRES_PORT, targetPort: 'postgres' })]
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: statefulSetName(server), labels: common },
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
                args: flow(postgresCommand(sharing)),
                env: Object.entries(postgresEnvironment(server)).map(([variable, value]) => ({
                  name: variable,
                  value,
                })),
                ports: [flow({ name: 'postgres', containerPort: POSTGRES_PORT })],
                startupProbe: { ...check, periodSeconds: 1, timeoutSeconds: 3, failureThreshold: START_S },
                // Each check starts a process, which takes a tenth of a second of one core.
                readinessProbe: { ...check, periodSeconds: 10, timeoutSeconds: 3 },
                livenessProbe: { ...check, periodSeconds: 20, timeoutSeconds: 5 },
                resources: resources(memory),
                securityContext: CONTAINER_SECURITY,
                volumeMounts: [
                  flow({ name: 'data', mountPath: '/var/lib/postgresql' }),
                  flow({ name: 'secrets', mountPath: SECRETS_PATH, readOnly: true }),
                  ...(sharing === undefined
                    ? [flow({ name: 'setup', mountPath: INIT_SCRIPTS_PATH, readOnly: true })]
                    : []),
                  flow({ name: 'run', mountPath: '/var/run/postgresql' }),
                  TMP_MOUNT,
                ],
              },
            ],
            volumes: [
              { name: 'secrets', secret: flow({ secretName: name, defaultMode: SECRET_MODE }) },
              ...(sharing === undefined ? [SETUP_VOLUME] : []),
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
    ...services.map(({ databaseDirectory }) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: databaseDirectory, labels: labels(platform, databaseDirectory, 'database') },
      spec: { selector: pods, ports },
    })),
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
    databasePolicy(platform, server),
  ]
}

/** What sets databases up: their own servers when they start for the first time, or Jobs on a shared one. */
export function databaseSetup(platform: Platform): YamlObject {
  const script = platform.databaseServer === 'shared' ? 'create-databases.sh' : 'create-role.sh'
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: SETUP, labels: labels(platform, SETUP, 'database') },
    data: { [script]: readTemplate(`images/${script}`) },
  }
}
