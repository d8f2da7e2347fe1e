import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { emitGateway } from '../../src/emit/gateway/envoy.ts'
import { tokenFilter } from '../../src/emit/gateway/token-filter.ts'
import { emitOpenApi } from '../../src/emit/openapi/emit.ts'
import type { Platform } from '../../src/model/platform.ts'
import { slots } from './dev-gateway.ts'
import { ATTACKED, type StartGateway } from './gateway.ts'

/** Envoy, installed by `.ci/install/envoy` or given by PORTICO_ENVOY. */
export const ENVOY =
  process.env['PORTICO_ENVOY'] ??
  join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'envoy/envoy/_bin/envoy')

/** Configuration of Envoy besides the platform. */
export interface EnvoyOptions {
  /** Ports on 127.0.0.1 of each service's replicas, by directory. Omitted services do not run. */
  readonly services: Readonly<Record<string, readonly number[]>>
  /** Secrets of the two slots; empty without authentication. */
  readonly secrets?: readonly [string, string]
  /** The OpenAPI document to serve instead of the platform's. */
  readonly openApi?: string
  /** Environment variables of the gateway's container: CORS_ORIGINS, AUTH_RATE_LIMIT. Default: no limit. */
  readonly env?: Readonly<Record<string, string>>
  /** Port of the admin interface. Default: any. */
  readonly adminPort?: number
  /** The core to run on. Default: any. */
  readonly core?: number
}

/** The deployed gateway, running as a process. */
export interface EnvoyProcess {
  readonly port: number
  /** Port of the admin interface, which only tests use. */
  readonly adminPort: number
  readonly pid: number
  /** Its output so far. */
  readonly output: () => string
  /** The access log so far. */
  readonly requests: () => Readonly<Record<string, unknown>>[]
  /** Replaces the secrets, as a deployment does. */
  readonly rotate: (first: string, second: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The parts of Envoy's configuration that differ between a container and a local process. */
interface Bootstrap {
  admin: { address: { socket_address: { port_value: number } } }
  static_resources: {
    listeners: { address: { socket_address: { address: string; port_value: number } } }[]
    clusters: {
      name: string
      load_assignment: { endpoints: { lb_endpoints: unknown[] }[] }
    }[]
  }
}

/** Starts Envoy with the configuration of a platform. Changes only ports and directories. */
export async function startEnvoy(platform: Platform, options: EnvoyOptions): Promise<EnvoyProcess> {
  if (!existsSync(ENVOY)) throw new Error(`Could not find Envoy at ${ENVOY}: run .ci/install/envoy`)
  const directory = await mkdtemp(join(tmpdir(), 'portico-envoy-'))
  const secrets = join(directory, 'secrets')
  await mkdir(secrets)
  const rotate = async (first: string, second: string): Promise<void> => {
    await writeFile(join(secrets, 'tokens.json.new'), tokenFilter(first, second), { mode: 0o400 })
    await rename(join(secrets, 'tokens.json.new'), join(secrets, 'tokens.json'))
  }
  if (options.secrets !== undefined) await rotate(...options.secrets)
  await writeFile(join(directory, 'openapi.json'), options.openApi ?? openApiOf(platform))
  await writeFile(join(directory, 'envoy.json'), JSON.stringify(configuration(platform, directory, options)))

  const own = [
    ENVOY,
    '-c',
    'envoy.json',
    '--disable-hot-restart',
    '--log-level',
    'warn',
    '--concurrency',
    '2',
  ]
  const [program, ...args] = [
    ...(options.core === undefined ? [] : ['taskset', '-c', String(options.core)]),
    ...own,
    '--admin-address-path',
    'admin',
    '--file-flush-interval-msec',
    '100',
  ]
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const adminPort = await adminPortOf(join(directory, 'admin'), child)
    return {
      port: await listenerPort(adminPort, child),
      adminPort,
      pid: child.pid ?? 0,
      output: () => output,
      requests: () => linesOf(output),
      rotate,
      stop,
    }
  } catch (error) {
    await stop()
    throw new Error(`Envoy does not start: ${output}`, { cause: error })
  }
}

/** Starts Envoy in front of services that are attacked. */
export const startAttackedEnvoy: StartGateway = async (startServices) => {
  const credentials = slots()
  const upstream = await startServices(credentials)
  const envoy = await startEnvoy(ATTACKED, {
    services: Object.fromEntries(Object.entries(upstream.ports).map(([name, port]) => [name, [port]])),
    secrets: [credentials[0].secret, credentials[1].secret],
  })
  return {
    port: envoy.port,
    credentials,
    upstream,
    rotate: envoy.rotate,
    stop: async () => {
      await envoy.stop()
      await upstream.stop()
    },
  }
}

function openApiOf(platform: Platform): string {
  return emitOpenApi(platform).find(({ path }) => path === 'api/openapi.json')?.content ?? ''
}

/** Applies environment variables to a configuration, as the gateway's container does. */
export function configured(content: string, env: Readonly<Record<string, string>>): string {
  return execFileSync('bash', [CONFIGURE], {
    input: content,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

const CONFIGURE = join(import.meta.dirname, '../../templates/images/gateway/configure.sh')

function configuration(
  platform: Platform,
  directory: string,
  { services, adminPort = 0, env = { AUTH_RATE_LIMIT: '0' } }: EnvoyOptions,
): Bootstrap {
  const [{ content } = { content: '' }] = emitGateway(platform)
  const bootstrap = parse(configured(content, env).replaceAll('/etc/envoy/', `${directory}/`)) as Bootstrap
  bootstrap.admin.address.socket_address.port_value = adminPort
  for (const { address } of bootstrap.static_resources.listeners)
    address.socket_address = { address: '127.0.0.1', port_value: 0 }
  for (const { name, load_assignment: assignment } of bootstrap.static_resources.clusters)
    assignment.endpoints = (services[name] ?? [CLOSED_PORT]).map((port) => ({
      lb_endpoints: [
        { endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: port } } } },
      ],
    }))
  return bootstrap
}

/** A port that nothing listens on, because it is privileged. */
const CLOSED_PORT = 1

async function adminPortOf(file: string, child: ChildProcess): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    if (child.exitCode !== null) throw new Error('It has ended')
    const text = await readFile(file, 'utf8').catch(() => '')
    const port = /:(\d+)$/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
    await sleep(20)
  }
  throw new Error('Its admin interface did not open')
}

async function listenerPort(adminPort: number, child: ChildProcess): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    if (child.exitCode !== null) throw new Error('It has ended')
    const ready = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => undefined)
    if (ready?.status === 200) {
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/listeners`)).text()
      const port = /gateway::127\.0\.0\.1:(\d+)/.exec(text)?.[1]
      if (port !== undefined) return Number(port)
    }
    await sleep(20)
  }
  throw new Error('It does not listen')
}

function linesOf(output: string): Readonly<Record<string, unknown>>[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ message }) => message === 'request')
}
