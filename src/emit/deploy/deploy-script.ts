import { databaseServers, formerDatabaseServers } from '../../model/database-servers.ts'
import { deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { GATEWAY_PORT } from '../gateway/envoy-names.ts'
import { DEFAULT_DOCKERFILE } from '../images/containers.ts'
import { targetOf } from '../targets.ts'
import { statefulSetName } from '../kubernetes/databases.ts'
import { namespaceOf } from '../kubernetes/metadata.ts'
import { readTemplate } from '../codegen/templates.ts'

/** The parts of `deploy.sh` that differ by provider. Only a platform with users has credentials. */
const PROVIDERS = {
  dockerCompose: {
    head: 'deploy/compose-head.sh',
    credentials: 'deploy/compose-credentials.sh',
    commands: 'deploy/compose.sh',
  },
  kube: {
    head: 'deploy/kube-head.sh',
    credentials: 'deploy/kube-credentials.sh',
    commands: 'deploy/kube.sh',
  },
}

/** `deploy.sh`: a single file, so that it can be sourced. */
export function emitDeployScript(platform: Platform): GeneratedFile[] {
  const { head, credentials, commands } = PROVIDERS[platform.provider]
  const content = [
    headOf(platform, readTemplate(head)),
    readTemplate('deploy/source.sh'),
    platformPart(platform),
    readTemplate('deploy/common.sh'),
    ...(platform.authentication === undefined
      ? []
      : [readTemplate('deploy/credentials.sh'), readTemplate(credentials)]),
    readTemplate(commands),
  ].join('')
  return [{ path: 'deploy.sh', content, owner: 'generated', executable: true }]
}

/** The help is the first comment of the script. */
function headOf({ authentication }: Platform, head: string): string {
  return authentication === undefined ? head.replaceAll(/^#   \.\/deploy\.sh rotate.*\n/gm, '') : head
}

function platformPart(platform: Platform): string {
  const { names, authentication } = platform
  const all = deployedServices(platform)
  const paths = all.map((deployed) =>
    deployed === authentication ? `${deployed.path}/login` : deployed.path,
  )
  return `
readonly PLATFORM=${quote(names.declared)}
# First part of the names of images.
readonly NAME=${quote(names.kebab)}
# The service that issues tokens, or empty without authentication.
readonly AUTHENTICATION=${quote(authentication?.directory ?? '')}
readonly SERVICES=${quote(all.map(({ directory }) => directory).join(' '))}
# Their former names where they were renamed, which their databases and passwords keep.
readonly DATABASES=${quote(all.map(({ secretsDirectory }) => secretsDirectory).join(' '))}
readonly PATHS=${quote(paths.join(' '))}
readonly GATEWAY_PORT_INSIDE=${GATEWAY_PORT}
${providerPart(platform)}${authentication === undefined ? WITHOUT_AUTHENTICATION : ''}`
}

/** What only the script of a provider needs. */
function providerPart(platform: Platform): string {
  const former = formerDatabaseServers(platform)
  if (platform.provider === 'kube')
    return `# The Secrets with passwords of databases.
readonly PASSWORDS=${quote([...passwordSecrets(platform)].join(' '))}
${formerServers(former.map(statefulSetName))}
readonly NAMESPACE=${quote(namespaceOf(platform))}\n${dockerfiles(platform)}`
  const servers = databaseServers(platform).map(({ name }) => name)
  const monitoring = platform.metrics === undefined ? '' : "readonly MONITORING='prometheus grafana'\n"
  return `readonly SERVERS=${quote(servers.join(' '))}
${formerServers(former.map(({ name }) => name))}
# One service in each language.\nreadonly FIRST=${quote(firstServices(platform).join(' '))}\n${monitoring}`
}

/** One for each service, and one for the server that they share. */
function passwordSecrets(platform: Platform): Set<string> {
  return new Set([
    ...deployedServices(platform).map(({ databaseDirectory }) => databaseDirectory),
    ...databaseServers(platform).map(({ name }) => name),
  ])
}

function formerServers(names: readonly string[]): string {
  return `# Where the databases were, if #database(server: ...) was changed.\nreadonly FORMER_SERVERS=${quote(names.join(' '))}`
}

/** The directories of the first service in each language. */
function firstServices(platform: Platform): string[] {
  const all = deployedServices(platform)
  return all
    .filter(({ language }, index) => all.findIndex((each) => each.language === language) === index)
    .map(({ directory }) => directory)
}

/** The services whose images are not built from the file that Docker looks for. Compose reads them in `compose.yaml`. */
function dockerfiles(platform: Platform): string {
  const named = deployedServices(platform).flatMap((deployed) => {
    const { dockerfile } = targetOf(deployed).image
    return dockerfile === DEFAULT_DOCKERFILE ? [] : [`${deployed.directory}=${dockerfile}`]
  })
  return named.length === 0 ? '' : `readonly DOCKERFILES=${quote(named.join(' '))}\n`
}

/** A `rotate` that says why it does nothing. */
const WITHOUT_AUTHENTICATION =
  '\nrotate() { fail "$PLATFORM has no authentication, so it has no credential"; }\n'

/** Quotes a text as one word of the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
