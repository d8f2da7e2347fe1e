import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { deployments, secretReaders } from '../deploy/secret-readers.ts'
import { secretsService } from '../deploy/secrets-service.ts'
import { readTemplate } from '../kit/templates.ts'
import { type Yaml, type YamlObject, commented, yamlFile } from '../kit/yaml.ts'
import { databaseService, databaseVolumes } from './databases.ts'
import { gatewayService } from './gateway.ts'
import { intervals } from './health.ts'
import { POSTGRES_IMAGE, SECRETS_SERVICE } from './names.ts'
import { codeService } from './services.ts'

const HEAD = `Everything that runs: services, their databases, and the gateway, which alone can be reached from outside.
\`source deploy.sh\` makes the secrets, builds, and starts. Additions of yours belong in compose.override.yaml,
which Compose reads as well.`

/**
 * Files for Docker Compose: `compose.yaml`, the gateway's image, and what makes each service's role and schema
 * when its database starts for the first time. Nothing where the platform runs on something else.
 */
export function emitCompose(platform: Platform): GeneratedFile[] {
  if (platform.provider !== 'dockerCompose') return []
  return [
    generated('compose.yaml', composeFile(platform)),
    generated('.dockerignore', readTemplate('compose/dockerignore')),
    generated('gateway/Dockerfile', readTemplate('compose/gateway.Dockerfile')),
    generated('gateway/start.sh', readTemplate('compose/gateway-start.sh')),
    ...deployments(platform).map(({ databaseDirectory }) =>
      generated(`${databaseDirectory}/create-role.sh`, readTemplate('compose/create-role.sh')),
    ),
  ]
}

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

function composeFile(platform: Platform): string {
  const { authentication, services } = platform
  const all = authentication === undefined ? services : [authentication, ...services]
  const pace = intervals(2 * all.length + 1)
  const pairs = all.flatMap((deployment): [string, Yaml][] => [
    [deployment.directory, codeService(deployment, pace)],
    [deployment.databaseDirectory, databaseService(deployment, pace)],
  ])
  return yamlFile(HEAD, {
    name: platform.names.kebab,
    services: {
      gateway: gatewayService(platform, pace),
      ...Object.fromEntries(pairs),
      [SECRETS_SERVICE]: commented('Run by deploy.sh alone, to put secrets where their readers find them.', {
        ...secretsService(platform, POSTGRES_IMAGE),
      }),
    },
    volumes: volumes(platform),
  })
}

function volumes(platform: Platform): YamlObject {
  const names = [
    ...deployments(platform).flatMap(databaseVolumes),
    ...secretReaders(platform).map(({ volume }) => volume),
  ]
  return Object.fromEntries(names.sort().map((name) => [name, {}]))
}
