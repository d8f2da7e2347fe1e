import type { Platform, Service, ServiceTarget } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { type Code, call, code, join, list, object } from '../kit/layout.ts'
import { docComment } from './documentation.ts'

/** One member of the configuration: its documentation, type, and the expression that reads it from `env`. */
interface Setting {
  readonly documentation: string
  readonly name: string
  readonly type: Code
  readonly value: Code
}

/** Where the environment says nothing else, a container reads the gateway's credentials here. */
const CREDENTIALS_FILE = '/run/secrets/gateway-credentials'

/** `config.ts`: all configuration of a service, read from the environment once, typed and checked. */
export function configFile(platform: Platform, service: Service): string {
  const file = codeFile('config.ts')
  const settings = [
    ...listening(file, service),
    database(file, service),
    ...(platform.authentication === undefined ? [] : [credentials(file)]),
    ...(service.calls.length === 0 ? [] : [urls(file, service.calls)]),
    ...limits(file, service),
  ]
  const members = settings.map(
    ({ documentation, name, type }) => code`${docComment(documentation, 2)}  readonly ${name}: ${type}\n`,
  )
  const values = object(settings.map(({ name, value }) => code`${name}: ${value}`))
  return file.text(code`/** All that can be configured. */
export interface Config {
${members}}

/** Reads and checks the configuration. Throws \`ConfigError\`, which names the variable. */
export function readConfig(env: ${file.type('environment.ts', 'Environment')}): Config {
  return ${values}
}`)
}

function listening(file: CodeFile, { directory, port, internalPort }: Service): Setting[] {
  return [
    {
      documentation: 'Name of the service in its log.',
      name: 'service',
      type: 'string',
      value: `'${directory}'`,
    },
    {
      documentation: 'Address to listen on.',
      name: 'host',
      type: 'string',
      value: read(file, 'text', 'HOST', "'0.0.0.0'"),
    },
    {
      documentation: 'Port of the API; 0 for any free one.',
      name: 'port',
      type: 'number',
      value: read(file, 'integer', 'PORT', String(port), '0', '65_535'),
    },
    {
      documentation: 'Port of health checks and of what other services ask; 0 for any free one.',
      name: 'internalPort',
      type: 'number',
      value: read(file, 'integer', 'INTERNAL_PORT', String(internalPort), '0', '65_535'),
    },
  ]
}

function database(file: CodeFile, service: Service): Setting {
  const fallback = `'postgres://${service.database}@${service.databaseDirectory}:5432/${service.database}'`
  const schemes = list('[', ["'postgres'", "'postgresql'"], ']')
  return {
    documentation: '',
    name: 'database',
    type: file.type('database.ts', 'DatabaseConfig'),
    value: object([
      code`url: ${read(file, 'url', 'DATABASE_URL', fallback, schemes)}`,
      code`socketDirectory: ${read(file, 'text', 'DATABASE_SOCKET_DIRECTORY', "''")}`,
      code`passwordFile: ${read(file, 'readableFile', 'DATABASE_PASSWORD_FILE')}`,
      code`poolSize: ${read(file, 'integer', 'DATABASE_POOL_SIZE', '10', '1', '1000')}`,
    ]),
  }
}

function credentials(file: CodeFile): Setting {
  return {
    documentation: 'File of the credentials that tokens are checked with.',
    name: 'credentialsFile',
    type: 'string',
    value: read(file, 'text', 'GATEWAY_CREDENTIALS_FILE', `'${CREDENTIALS_FILE}'`),
  }
}

function urls(file: CodeFile, targets: readonly ServiceTarget[]): Setting {
  const schemes = list('[', ["'http'", "'https'"], ']')
  const values = targets.map(({ names, directory, internalPort }) => {
    const variable = `${names.snake.toUpperCase()}_INTERNAL_URL`
    return code`${names.camel}: ${read(file, 'url', variable, `'http://${directory}:${internalPort}'`, schemes)}`
  })
  const members = targets.map(({ names }) => `    readonly ${names.camel}: string`)
  return {
    documentation: 'Base URLs of the second ports of the services that this one calls.',
    name: 'urls',
    type: code`{\n${join(members, '\n')}\n  }`,
    value: object(values),
  }
}

function limits(file: CodeFile, { maxBodyBytes }: Service): Setting[] {
  const level = file.type('log.ts', 'LogLevel')
  return [
    {
      documentation: 'Largest body of a request in bytes.',
      name: 'maxBodyBytes',
      type: 'number',
      value: read(file, 'integer', 'MAX_BODY_BYTES', String(maxBodyBytes), '1', '1_000_000_000'),
    },
    {
      documentation: '',
      name: 'logLevel',
      type: level,
      value: read(file, 'oneOf', 'LOG_LEVEL', "'info'", file.value('log.ts', 'LOG_LEVELS')),
    },
    {
      documentation: 'Time in ms that requests may still take when the service is told to stop.',
      name: 'shutdownTimeoutMs',
      type: 'number',
      value: read(file, 'integer', 'SHUTDOWN_TIMEOUT_MS', '10_000', '0', '3_600_000'),
    },
  ]
}

/** A call of one of the functions in environment.ts. */
function read(file: CodeFile, reader: string, variable: string, ...others: readonly Code[]): Code {
  return call(file.value('environment.ts', reader), 'env', `'${variable}'`, ...others)
}
