import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { emitProject } from '../../src/emit/project.ts'
import type { Platform, ServiceBase } from '../../src/model/platform.ts'
import { type ServiceProcess, startService, temporaryDirectory } from '../emit/service-process.ts'
import { freshDatabase } from '../postgres.ts'
import type { Credential } from './gateway.ts'

/** A platform's services as processes with their databases, without a gateway. */
export interface ServiceProcesses {
  /** The credential that signs and verifies tokens. */
  readonly credential: Credential
  /** Starts another process of a service with the same database, on any port or this one. */
  readonly start: (directory: string, port?: number) => Promise<Replica>
  readonly stop: () => Promise<void>
}

/** One process of a service. */
export interface Replica {
  readonly process: ServiceProcess
  readonly port: number
  readonly internalPort: number
}

/** Creates the databases and the credential. Start called services before using their callers. */
export async function serviceProcesses(platform: Platform): Promise<ServiceProcesses> {
  const files = emitProject(platform)
  const credential = { id: 'auth-service-1', secret: randomBytes(32).toString('base64url') }
  const credentialsFile = join(await temporaryDirectory(), 'gateway-credentials.json')
  await writeFile(credentialsFile, JSON.stringify({ consumer: 'auth-service', credentials: [credential] }))

  const all: ServiceBase[] = [
    ...(platform.authentication === undefined ? [] : [platform.authentication]),
    ...platform.services,
  ]
  const databases = new Map(
    await Promise.all(all.map(async ({ directory }) => [directory, await freshDatabase()] as const)),
  )
  // Services need each other's internal port before they run.
  const internalPorts = new Map(
    await Promise.all(all.map(async ({ directory }) => [directory, await freePort()] as const)),
  )
  const urls = [...internalPorts].map(([directory, port]) => [
    `${directory.toUpperCase().replaceAll('-', '_')}_INTERNAL_URL`,
    `http://127.0.0.1:${port}`,
  ])
  const running: ServiceProcess[] = []
  const started = new Set<string>()

  return {
    credential,
    start: async (directory, port = 0) => {
      // The first process has the port that other services call; further ones use any port.
      const internalPort = started.has(directory) ? 0 : internalPorts.get(directory)
      started.add(directory)
      const service = await startService(files, directory, {
        ...Object.fromEntries(urls),
        DATABASE_URL: databases.get(directory)?.url ?? '',
        DATABASE_POOL_SIZE: '4',
        GATEWAY_CREDENTIALS_FILE: credentialsFile,
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
        // The default, as deployed: services that stop are still called meanwhile.
        DRAIN_MS: '',
      })
      running.push(service)
      if (service.url === '') throw new Error(`${directory} does not start: ${service.output.text}`)
      const portOf = (url: string) => Number(new URL(url).port)
      return { process: service, port: portOf(service.url), internalPort: portOf(service.internalUrl) }
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.discard()))
      await Promise.all([...databases.values()].map((database) => database.drop()))
    },
  }
}
