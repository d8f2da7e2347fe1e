import { deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { hasQueue } from '../database/jobs.ts'
import { GATEWAY_PORT } from '../gateway/envoy-names.ts'
import { DEFAULT_DOCKERFILE } from '../images/containers.ts'
import { targetOf } from '../targets.ts'
import { namespaceOf } from '../kubernetes/metadata.ts'
import { readTemplate } from '../codegen/templates.ts'

/** The parts of `deploy.sh` that differ by provider. Only a platform with users has credentials. */
const PROVIDERS = {
  dockerCompose: {
    head: 'deploy/compose-head.sh',
    credentials: 'deploy/compose-credentials.sh',
    commands: 'deploy/compose.sh',
    inService: 'docker compose exec -T "$@"',
  },
  kube: {
    head: 'deploy/kube-head.sh',
    credentials: 'deploy/kube-credentials.sh',
    commands: 'deploy/kube.sh',
    inService: 'kube exec "deployment/$1" -- "${@:2}"',
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
    ...(hasJobs(platform) ? [readTemplate('deploy/jobs.sh')] : []),
    commandsOf(platform, readTemplate(commands)),
  ].join('')
  return [{ path: 'deploy.sh', content, owner: 'generated', executable: true }]
}

/** The help is the first comment of the script. */
function headOf(platform: Platform, head: string): string {
  const rotates = platform.authentication === undefined ? /^#   \.\/deploy\.sh rotate.*\n/gm : []
  const manages = hasJobs(platform) ? [] : /^#   \.\/deploy\.sh jobs.*\n(?:# {30}.*\n)?/gm
  return [rotates, manages].flat().reduce((text, lines) => text.replaceAll(lines, ''), head)
}

/** Without jobs, the script has no command for them. */
function commandsOf(platform: Platform, commands: string): string {
  if (hasJobs(platform)) return commands
  return commands.replaceAll(/^ *jobs.*\n/gm, '').replace('|logs|jobs)', '|logs)')
}

const hasJobs = ({ services }: Platform): boolean => services.some(hasQueue)

/** The services with jobs, each with the command that looks after them, whose words are separated by `+`, and how it is run. */
function jobCommands({ services, provider }: Platform): string {
  const found = services
    .filter(hasQueue)
    .map((service) => `${service.directory}=${targetOf(service).image.jobs(service).join('+')}`)
  if (found.length === 0) return ''
  return `readonly JOBS=${quote(found.join(' '))}\nin_service() { ${PROVIDERS[provider].inService}; }\n`
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
${jobCommands(platform)}${providerPart(platform)}${authentication === undefined ? WITHOUT_AUTHENTICATION : ''}`
}

/** What only the script of a provider needs. */
function providerPart(platform: Platform): string {
  if (platform.provider === 'kube')
    return `readonly NAMESPACE=${quote(namespaceOf(platform))}\n${dockerfiles(platform)}`
  const monitoring = platform.metrics === undefined ? '' : "readonly MONITORING='prometheus grafana'\n"
  return `# One service in each language.\nreadonly FIRST=${quote(firstServices(platform).join(' '))}\n${monitoring}`
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
