import { type DeployedService, deployedServicesIn } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import { clientPackages } from './clients.ts'
import type { GoFile } from './go-file.ts'
import { type Field, literal, quoted, struct } from './layout.ts'
import { exported } from './names.ts'

/** A service that is called: the field of its client in `Comm`, the type of that, and what creates it. */
interface CommClient extends Field {
  readonly name: string
  readonly created: string
}

/** The clients of what a service calls. */
export function commClients(platform: Platform, service: DeployedService, file: GoFile): CommClient[] {
  const packages = clientPackages(deployedServicesIn(platform, service.language))
  return service.calls.map(({ names, directory, isAuthentication }) => {
    const name = exported(names.declared)
    const options = `config.${name}InternalURL, config.ServiceTimeout`
    if (!isAuthentication) {
      const client = file.internal(packages.get(directory) ?? '')
      return { name, type: `*${client}.Client`, created: `${client}.New(${options})` }
    }
    const shared = file.internal('platform')
    const parts = [
      'Directory: config.ServiceKeysDirectory',
      `Caller: ${quoted(service.directory)}`,
      `Callee: ${quoted(directory)}`,
    ]
    const key = `${shared}.ServiceKey{${parts.join(', ')}}`
    return { name, type: `*${shared}.Accounts`, created: `${shared}.NewAccounts(${options}, ${key})` }
  })
}

/** The type `Comm`. */
export function commType(clients: readonly CommClient[]): string {
  return `// Comm has the clients of the services that this one calls.\n${struct(
    'Comm',
    clients.map(({ name, type }) => ({ name, type })),
  )}`
}

/** A value of the type `Comm`. */
export function commValue(clients: readonly CommClient[]): string {
  return literal(
    'Comm',
    clients.map(({ name, created }) => [name, created] as const),
  )
}

/** What the configuration of a service has for its calls: each field, and what reads it. */
export function callSettings({ calls }: DeployedService): (readonly [name: string, value: string])[] {
  return [
    ...calls.map(
      ({ names, urlVariable, url }) =>
        [
          `${exported(names.declared)}InternalURL`,
          `environment.URL("${urlVariable}", "${url}", "http", "https")`,
        ] as const,
    ),
    ...(calls.some(({ isAuthentication }) => isAuthentication)
      ? [['ServiceKeysDirectory', KEYS_DIRECTORY] as const]
      : []),
  ]
}

/** What reads where the keys of calls between services are. */
export const KEYS_DIRECTORY = 'environment.String("SERVICE_KEYS_DIRECTORY", "/run/secrets")'
