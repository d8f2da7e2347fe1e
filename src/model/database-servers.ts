import { SHARED_DATABASE_SERVER } from '../naming.ts'
import { JOB_CONNECTIONS, serverMemory } from './capacity.ts'
import { type DeployedService, deployedServices } from './deployed-services.ts'
import type { Platform } from './platform.ts'

/** A Postgres of a deployment. */
export interface DatabaseServer {
  /** Its container, volume and secrets: `home-db`, or `postgres` if services share it. */
  readonly name: string
  /** The services whose databases it has. */
  readonly services: readonly DeployedService[]
  /** In MiB. */
  readonly memory: number
  /** What services share it with; `undefined` if it belongs to one service. */
  readonly sharing: Sharing | undefined
}

/** Limits that keep the services of a shared server apart. */
export interface Sharing {
  /** How many connections each service may open. */
  readonly connectionsPerService: number
  /** How many connections the server accepts. */
  readonly maxConnections: number
}

/** The default of Postgres, without the connections that it reserves for superusers. */
const DEDICATED_CONNECTIONS = 97
/** Two containers of a service and, while a deployment replaces them, two more. */
const SHARED_CONTAINERS = 4
/** Those of a container without jobs: for requests, and one to check the database. */
const CONTAINER_CONNECTIONS = 11
/** For migrations and backups. */
const OTHER_CONNECTIONS = 4
/** Those that Postgres reserves for superusers. */
const RESERVED_CONNECTIONS = 3

/** The Postgres servers that a platform deploys. */
export function databaseServers(platform: Platform): readonly DatabaseServer[] {
  const services = deployedServices(platform)
  if (platform.databaseServer === 'dedicated')
    return services.map((service) => ({
      name: service.databaseDirectory,
      services: [service],
      memory: serverMemory([service]),
      sharing: undefined,
    }))
  return [
    {
      name: SHARED_DATABASE_SERVER,
      services,
      memory: serverMemory(services),
      sharing: {
        connectionsPerService: connectionsPerService(platform),
        maxConnections: services.length * connectionsPerService(platform) + RESERVED_CONNECTIONS,
      },
    },
  ]
}

/** How many connections a service of a platform may open. */
export function connectionsPerService({ databaseServer, services }: Platform): number {
  if (databaseServer === 'dedicated') return DEDICATED_CONNECTIONS
  const forJobs = services.some(({ jobs }) => jobs.length > 0) ? JOB_CONNECTIONS : 0
  return SHARED_CONTAINERS * (CONTAINER_CONNECTIONS + forJobs) + OTHER_CONNECTIONS
}

/** The servers that a platform had before its `#database(server: ...)` was changed, if it was. */
export function formerDatabaseServers(platform: Platform): readonly DatabaseServer[] {
  const { databaseServer } = platform
  return databaseServers({
    ...platform,
    databaseServer: databaseServer === 'shared' ? 'dedicated' : 'shared',
  })
}
