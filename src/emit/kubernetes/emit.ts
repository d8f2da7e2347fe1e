import { type DatabaseServer, databaseServers } from '../../model/database-servers.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { emitGateway } from '../gateway/envoy.ts'
import { type YamlObject, yamlDocuments } from '../codegen/yaml.ts'
import { databaseObjects, databaseSetup } from './databases.ts'
import { gatewayObjects } from './gateway.ts'
import { namespaceOf } from './metadata.ts'
import { migrationJob } from './migrations.ts'
import { denyAll, metricsPolicy } from './network.ts'
import { localOverlay, productionOverlay } from './overlays.ts'
import { namespaceObject, serviceObjects } from './services.ts'

/**
 * `kube/`: plain manifests for `kubectl apply -k`. Empty for other providers.
 *
 * @param migrations are the files of the `migrations` directories, which the names of Jobs depend on.
 */
export function emitKubernetes(platform: Platform, migrations: readonly GeneratedFile[]): GeneratedFile[] {
  if (platform.provider !== 'kube') return []
  return [
    ...base(platform),
    ...migrate(platform, migrations),
    ...localOverlay(),
    ...productionOverlay(platform),
  ]
}

function base(platform: Platform): GeneratedFile[] {
  const configuration = emitGateway(platform)
    .map(({ content }) => content)
    .join('')
  return kustomized(
    platform,
    'kube/base',
    'The namespace, one file per service and per database, the gateway, and the Jobs that apply migrations. The overlays\nchange what differs between clusters.',
    {
      namespace: [
        'The namespace. Pods reach each other only where a NetworkPolicy allows it.',
        [
          namespaceObject(platform),
          denyAll(platform),
          ...(platform.metrics === undefined ? [] : [metricsPolicy(platform)]),
        ],
      ],
      'database-setup': [
        platform.databaseServer === 'shared'
          ? 'What Jobs run before migrations, so that the shared Postgres has the database of each service.'
          : 'What every database runs when it starts for the first time.',
        [databaseSetup(platform)],
      ],
      ...Object.fromEntries(
        databaseServers(platform).flatMap((server): [string, Workload][] => [
          [fileOf(server.name), [databaseHead(server), databaseObjects(platform, server)]],
          ...server.services.map((deployed): [string, Workload] => [
            fileOf(deployed.directory),
            [`The service ${deployed.directory}.`, serviceObjects(platform, deployed)],
          ]),
        ]),
      ),
      gateway: [
        'The gateway: the only workload that is reachable from outside.',
        gatewayObjects(platform, configuration),
      ],
    },
    // So that overlays can patch the Jobs too.
    ['../migrate'],
  )
}

function databaseHead({ services, sharing }: DatabaseServer): string {
  return sharing === undefined
    ? `The database of ${services.map(({ directory }) => directory).join()}.`
    : 'The Postgres with the databases of all services. Each service finds its own by the name of a Service.'
}

function migrate(platform: Platform, migrations: readonly GeneratedFile[]): GeneratedFile[] {
  return kustomized(
    platform,
    'kube/migrate',
    'The Jobs that apply migrations. deploy.sh waits for them before it changes services.',
    Object.fromEntries(
      databaseServers(platform).flatMap((server) =>
        server.services.map((deployed): [string, Workload] => [
          fileOf(deployed.directory),
          [
            `Applies ${deployed.databaseDirectory}/migrations.`,
            [migrationJob(platform, deployed, server, migrations)],
          ],
        ]),
      ),
    ),
  )
}

/** The file of a service or database, in a directory of its own: a service may be called `Kustomization` or `Namespace`. */
function fileOf(directory: string): string {
  return `services/${directory}`
}

/** What a file says about its objects, and the objects. */
type Workload = readonly [head: string, objects: readonly YamlObject[]]

/** A directory with a file for each workload and the kustomization that lists them and other directories. */
function kustomized(
  platform: Platform,
  directory: string,
  head: string,
  workloads: Readonly<Record<string, Workload>>,
  directories: readonly string[] = [],
): GeneratedFile[] {
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: namespaceOf(platform),
    resources: [...Object.keys(workloads).map((name) => `${name}.yaml`), ...directories],
  }
  const file = (name: string, content: string): GeneratedFile => ({
    path: `${directory}/${name}.yaml`,
    content,
    owner: 'generated',
  })
  return [
    file('kustomization', yamlDocuments(head, [kustomization])),
    ...Object.entries(workloads).map(([name, [about, objects]]) => file(name, yamlDocuments(about, objects))),
  ]
}
