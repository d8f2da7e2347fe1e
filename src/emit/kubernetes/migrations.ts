import type { DatabaseServer, Sharing } from '../../model/database-servers.ts'
import type { DeployedService } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import {
  ADMIN_PASSWORD,
  ADMIN_SECRETS,
  DATABASE_PASSWORD,
  databaseSecrets,
  POSTGRES_IMAGE,
  POSTGRES_USER,
  SECRETS_PATH,
  setupEnvironment,
} from '../images/containers.ts'
import { flow, type Yaml, type YamlObject } from '../codegen/yaml.ts'
import { targetOf } from '../targets.ts'
import { SETUP_VOLUME } from './databases.ts'
import { contentHash, labels, truncatedName } from './metadata.ts'
import { CONTAINER_SECURITY, podSecurity, resources, SECRET_MODE, TMP_MOUNT } from './pods.ts'
import {
  baseVariables,
  baseImageName,
  externalUrl,
  secretFile,
  SERVICE_MOUNTS,
  serviceVolumes,
} from './services.ts'

/** deploy.sh appends a hyphen and a hash of 8 characters to the names of Jobs. */
const MAX_JOB_NAME = 63 - 9

const SETUP_SECRETS = 'setup-secrets'
const SETUP_PATH = '/setup'

/** The Job that applies the migrations of a service's database. Its name changes with the migrations. */
export function migrationJob(
  platform: Platform,
  deployed: DeployedService,
  server: DatabaseServer,
  migrations: readonly GeneratedFile[],
): YamlObject {
  const { directory, databaseDirectory } = deployed
  const { image } = targetOf(deployed)
  const content = migrations
    .filter(({ path }) => path.startsWith(`${databaseDirectory}/migrations/`))
    .map((file) => `${file.path}\n${file.content}`)
    .join('\n')
  const common = labels(platform, directory, 'migration')
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${truncatedName(`${directory}-migrate`, MAX_JOB_NAME - 9)}-${contentHash(content)}`,
      labels: common,
    },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels: common },
        spec: {
          restartPolicy: 'Never',
          ...podSecurity(image.user),
          ...(server.sharing !== undefined && {
            initContainers: [setupContainer(deployed, server.sharing)],
          }),
          containers: [
            {
              name: 'migrate',
              image: baseImageName(platform, directory),
              imagePullPolicy: 'IfNotPresent',
              command: flow(image.migrations),
              args: flow([directory, databaseDirectory]),
              env: baseVariables(deployed),
              resources: resources(512),
              securityContext: CONTAINER_SECURITY,
              volumeMounts: SERVICE_MOUNTS,
            },
          ],
          volumes: [
            ...serviceVolumes(deployed, false),
            ...(server.sharing === undefined ? [] : [SETUP_VOLUME, setupSecrets(server, deployed)]),
          ],
        },
      },
    },
  }
}

/** Creates the database of a service on a shared server, unless the service has an external one. */
function setupContainer(deployed: DeployedService, sharing: Sharing): YamlObject {
  const variables = {
    DATABASES: deployed.database,
    ...setupEnvironment(deployed.databaseDirectory, sharing),
  }
  return {
    name: 'database',
    image: POSTGRES_IMAGE,
    command: flow([
      'bash',
      '-c',
      `[ -n "\${DATABASE_URL-}" ] || exec bash ${SETUP_PATH}/create-databases.sh`,
    ]),
    env: [externalUrl(deployed), ...Object.entries(variables).map(([name, value]) => ({ name, value }))],
    resources: resources(128),
    securityContext: { runAsUser: POSTGRES_USER, runAsGroup: POSTGRES_USER, ...CONTAINER_SECURITY },
    volumeMounts: [
      flow({ name: SETUP_SECRETS, mountPath: SECRETS_PATH, readOnly: true }),
      flow({ name: SETUP_VOLUME.name, mountPath: SETUP_PATH, readOnly: true }),
      TMP_MOUNT,
    ],
  }
}

/** The passwords of the superuser of a shared server and of a service, which only `setupContainer` mounts. */
function setupSecrets({ name }: DatabaseServer, { databaseDirectory, database }: DeployedService): Yaml {
  return {
    name: SETUP_SECRETS,
    projected: {
      defaultMode: SECRET_MODE,
      sources: [
        secretFile(name, ADMIN_PASSWORD, ADMIN_SECRETS),
        secretFile(databaseDirectory, DATABASE_PASSWORD, databaseSecrets(database)),
      ],
    },
  }
}
