import { databaseServers } from '../../model/database-servers.ts'
import { deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'
import { type Yaml, yamlFile } from '../codegen/yaml.ts'
import { healthCheckIntervals } from './container-settings.ts'
import { databaseContainer, setupContainer, setupContainerName } from './databases.ts'
import { gatewayContainer } from './gateway.ts'
import { grafanaContainer, MONITORING_NETWORK, PROMETHEUS_VOLUME, prometheusContainer } from './monitoring.ts'
import { networks } from './networks.ts'
import { migrationContainer, migrationContainerName, serviceContainer } from './services.ts'

const HEAD = `The services, their databases, and the gateway, which is the only container that is reachable from outside.
\`source deploy.sh\` creates the secrets, builds the images and starts everything. Compose reads settings from \`.env\`,
and your own additions from compose.override.yaml.`

/** Files for Docker Compose. Empty for other providers. */
export function emitCompose(platform: Platform): GeneratedFile[] {
  if (platform.provider !== 'dockerCompose') return []
  return [
    generated('compose.yaml', composeFile(platform)),
    platform.databaseServer === 'shared'
      ? generated('postgres/create-databases.sh', readTemplate('images/create-databases.sh'))
      : generated('postgres/create-role.sh', readTemplate('images/create-role.sh')),
  ]
}

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

function composeFile(platform: Platform): string {
  const all = deployedServices(platform)
  const project = platform.names.kebab
  const isMeasured = platform.metrics !== undefined
  const servers = databaseServers(platform)
  const pace = healthCheckIntervals(all.length + servers.length + 1)
  const containers = servers.flatMap((server, index): [string, Yaml][] => [
    ...server.services.flatMap((deployed): [string, Yaml][] => [
      [deployed.directory, serviceContainer(project, deployed, server, pace)],
      [migrationContainerName(deployed), migrationContainer(project, deployed, server)],
    ]),
    [server.name, databaseContainer(server, pace, index === 0)],
    ...(server.sharing === undefined
      ? []
      : [[setupContainerName(server), setupContainer(server, server.sharing)] as [string, Yaml]]),
  ])
  return yamlFile(HEAD, {
    name: project,
    services: {
      gateway: gatewayContainer(platform, pace),
      ...Object.fromEntries(containers),
      ...(isMeasured && { prometheus: prometheusContainer(), grafana: grafanaContainer() }),
    },
    networks: { ...networks(servers), ...(isMeasured && { [MONITORING_NETWORK]: {} }) },
    volumes: {
      ...Object.fromEntries(servers.map(({ name }) => [`${name}-data`, {}])),
      ...(isMeasured && { [PROMETHEUS_VOLUME]: {} }),
    },
  })
}
