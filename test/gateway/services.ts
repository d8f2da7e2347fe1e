import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { emitProject } from '../../src/emit/project.ts'
import type { Deployment, Platform } from '../../src/model/platform.ts'
import { type ServiceProcess, startService, temporaryDirectory } from '../emit/service-process.ts'
import { freshDatabase } from '../postgres.ts'
import type { Credential } from './gateway.ts'

/** A platform's services as processes, each with a database of its own, and no gateway. */
export interface ServiceProcesses {
  /** The credential that signs and verifies tokens. */
  readonly credential: Credential
  /** Starts one more process of a service, with the database of the others, on any port or the one given. */
  readonly start: (directory: string, port?: number) => Promise<Replica>
  readonly stop: () => Promise<void>
}

/** One process of a service. */
export interface Replica {
  readonly process: ServiceProcess
  readonly port: number
}

/** Makes the databases and the credential. Services that are called have to be started, once, before the caller is used. */
export async function serviceProcesses(platform: Platform): Promise<ServiceProcesses> {
  const files = emitProject(platform)
  const credential = { id: 'auth-service-1', secret: randomBytes(32).toString('base64url') }
  const credentialsFile = join(await temporaryDirectory(), 'gateway-credentials.json')
  await writeFile(credentialsFile, JSON.stringify({ consumer: 'auth-service', credentials: [credential] }))

  const all: Deployment[] = [
    ...(platform.authentication === undefined ? [] : [platform.authentication]),
    ...platform.services,
  ]
  const databases = new Map(
    await Promise.all(
      all.map(async ({ directory, databaseDirectory }) => {
        const schema = files.find(({ path }) => path === `${databaseDirectory}/init.sql`)?.content
        return [directory, await freshDatabase(schema)] as const
      }),
    ),
  )
  // Services know each other's second port before they run.
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
      // The first one answers the others; further ones take any port.
      const internalPort = started.has(directory) ? 0 : internalPorts.get(directory)
      started.add(directory)
      const service = await startService(files, directory, {
        ...Object.fromEntries(urls),
        DATABASE_URL: databases.get(directory)?.url ?? '',
        DATABASE_POOL_SIZE: '4',
        GATEWAY_CREDENTIALS_FILE: credentialsFile,
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
      })
      running.push(service)
      if (service.url === '') throw new Error(`${directory} does not start: ${service.output.text}`)
      return { process: service, port: Number(new URL(service.url).port) }
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.discard()))
      await Promise.all([...databases.values()].map((database) => database.drop()))
    },
  }
}
