import type { DeployedService } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { flow, type YamlObject } from '../codegen/yaml.ts'
import { targetOf } from '../targets.ts'
import { contentHash, labels, truncatedName } from './metadata.ts'
import { CONTAINER_SECURITY, podSecurity, resources } from './pods.ts'
import { baseVariables, baseImageName, SERVICE_MOUNTS, serviceVolumes } from './services.ts'

/** deploy.sh appends a hyphen and a hash of 8 characters to the names of Jobs. */
const MAX_JOB_NAME = 63 - 9

/** The Job that applies the migrations of a service's database. Its name changes with the migrations. */
export function migrationJob(
  platform: Platform,
  deployed: DeployedService,
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
          volumes: serviceVolumes(deployed, false),
        },
      },
    },
  }
}
