import { databaseServers, formerDatabaseServers } from '../../model/database-servers.ts'
import { deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { hasQueue } from '../database/jobs.ts'
import { GATEWAY_PORT } from '../gateway/envoy-names.ts'
import { DEFAULT_DOCKERFILE } from '../images/containers.ts'
import { targetOf } from '../targets.ts'
import { statefulSetName } from '../kubernetes/databases.ts'
import { namespaceOf } from '../kubernetes/metadata.ts'
import { type Addition, extended } from '../codegen/additions.ts'
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
  const calls = serviceCalls(platform)
  const part = (template: string) =>
    extended(readTemplate(template), [
      ...(calls.length === 0 ? [] : (SERVICE_KEYS[template] ?? [])),
      ...(hasJobs(platform) ? (JOBS[template] ?? []) : []),
    ])
  const content = [
    headOf(platform, part(head)),
    readTemplate('deploy/source.sh'),
    platformPart(platform),
    readTemplate('deploy/common.sh'),
    ...(platform.authentication === undefined
      ? []
      : [
          part('deploy/credentials.sh'),
          ...(calls.length === 0 ? [] : [part('deploy/service-keys.sh')]),
          part(credentials),
        ]),
    ...(hasJobs(platform) ? [part('deploy/jobs.sh')] : []),
    part(commands),
  ].join('')
  return [{ path: 'deploy.sh', content, owner: 'generated', executable: true }]
}

/** The services that read accounts: the pair that has keys, and the directory of the caller's secrets. */
function serviceCalls({ authentication, services }: Platform): string[] {
  const readers = services.filter(({ directory }) => authentication?.readers.includes(directory))
  return readers.map(
    ({ directory, secretsDirectory }) =>
      `${directory}.${authentication?.directory ?? ''}=${secretsDirectory}`,
  )
}

const JOBS_HELP = `#   ./deploy.sh jobs                 Show the jobs of all services
#   ./deploy.sh jobs retry|discard [service [job]]
#                                    Retry or discard jobs that have failed in all their attempts`

/** What the script does besides if services have jobs. */
const JOBS: Readonly<Record<string, readonly Addition[]>> = {
  'deploy/compose-head.sh': [
    {
      after:
        '#   ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment',
      add: JOBS_HELP,
    },
  ],
  'deploy/kube-head.sh': [
    {
      after:
        '#   ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment',
      add: JOBS_HELP,
    },
  ],
  'deploy/compose.sh': [
    { after: '  logs\\ * | scale\\ *) ;;', add: '  jobs\\ *) ;;' },
    { after: '  logs) docker compose logs "$@" ;;', add: '  jobs) jobs "$@" ;;' },
  ],
  'deploy/kube.sh': [
    {
      after:
        "  up | status | logs | logs\\ * | scale\\ * | migrate | rotate | 'rotate --finish' | destroy | 'destroy --yes') ;;",
      add: '  jobs | jobs\\ *) ;;',
    },
    { after: 'require_cluster', add: '[ "${1-}" != jobs ] || { "$@"; exit; }' },
  ],
}

/** What the script does besides if services read accounts. */
const SERVICE_KEYS: Readonly<Record<string, readonly Addition[]>> = {
  'deploy/credentials.sh': [
    {
      after: `  printf '%s\\n' "\${filter/SECRET_OF_AUTH_SERVICE_2/\${second:-$first}}" | write "$SECRETS/gateway/tokens.json"`,
      add: '  distribute_keys',
    },
  ],
  'deploy/compose-credentials.sh': [
    {
      after: 'readonly SECRETS=.secrets CREDENTIALS=.secrets/credentials READERS=$DATABASES',
      add: 'readonly SERVICE_KEYS=.secrets/service-keys',
    },
  ],
  'deploy/compose.sh': [
    {
      after:
        '  rm -f .secrets/*/{database-password,admin-password,gateway-credentials,tokens.json,env}{,.new} .secrets/{credentials,env}{,.new} .secrets/.gitignore',
      add: '  rm -f .secrets/*/*.key{,.new} .secrets/service-keys{,.new}',
    },
  ],
  'deploy/kube-credentials.sh': [
    {
      after: '  readonly SECRETS CREDENTIALS=$SECRETS/gateway/credentials READERS=gateway',
      add: '  readonly SERVICE_KEYS=$SECRETS/gateway/service-keys',
    },
    {
      after: `  kube get secret gateway-credentials --ignore-not-found --output go-template='{{.data.credentials | base64decode}}' >"$CREDENTIALS"`,
      add: `  kube get secret gateway-credentials --ignore-not-found --output go-template='{{with index .data "service-keys"}}{{. | base64decode}}{{end}}' >"$SERVICE_KEYS"`,
    },
  ],
}

/** The help is the first comment of the script. */
function headOf({ authentication }: Platform, head: string): string {
  return authentication === undefined ? head.replaceAll(/^#   \.\/deploy\.sh rotate.*\n/gm, '') : head
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
${callsOf(platform)}# Their former names where they were renamed, which their databases and passwords keep.
readonly DATABASES=${quote(all.map(({ secretsDirectory }) => secretsDirectory).join(' '))}
readonly PATHS=${quote(paths.join(' '))}
readonly GATEWAY_PORT_INSIDE=${GATEWAY_PORT}
${jobCommands(platform)}${providerPart(platform)}${authentication === undefined ? WITHOUT_AUTHENTICATION : ''}`
}

function callsOf(platform: Platform): string {
  const calls = serviceCalls(platform)
  if (calls.length === 0) return ''
  return `# Pairs of services with keys, each with the directory of the caller's secrets.\nreadonly CALLS=${quote(calls.join(' '))}\n`
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
