import type { Authentication, Platform, Service } from './platform.ts'
import { rowBytes } from './row-size.ts'
import { entitiesOf } from './entities.ts'

/** A service that is deployed, with its database. */
export type DeployedService = Authentication | Service

/** All services of a platform: the authentication service first, then the others in the order of the definition. */
export function deployments({ authentication, services }: Platform): readonly DeployedService[] {
  return authentication === undefined ? services : [authentication, ...services]
}

/** The directory of each service by that of its database, which keeps its name when the service is renamed. */
export function directoriesByDatabase(platform: Platform): ReadonlyMap<string, string> {
  return new Map(
    deployments(platform).map(({ directory, databaseDirectory }) => [databaseDirectory, directory]),
  )
}

/** Resources that a service and its database need for the largest rows and bodies that the definition allows. */
interface Capacity {
  /** Memory of the service in MiB. */
  readonly serviceMemory: number
  /** Memory of the database in MiB. */
  readonly databaseMemory: number
  /** Connections of the service to its database. */
  readonly connections: number
}

const MIB = 1 << 20
/** Memory of a service without bodies. */
const SERVICE_BASE = 384
/** A body is received, joined, decoded, parsed and sent to the database, while others arrive. */
const BODY_FACTOR = 16
/** Memory of Postgres with its buffers and idle connections. */
const DATABASE_BASE = 384
/** A connection that writes a row holds the message, the value, the row and its answer, each in full. */
const ROW_FACTOR = 10
const MAX_CONNECTIONS = 10
const MIN_CONNECTIONS = 4
/** More connections than `MIN_CONNECTIONS` only as long as this is enough for their rows. */
const ROW_MEMORY = 640
const STEP = 128

/** Computes the capacity of a service. */
export function capacityOf(deployed: DeployedService): Capacity {
  const row = (ROW_FACTOR * largestRowBytes(deployed)) / MIB
  const connections = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(ROW_MEMORY / row)))
  return {
    serviceMemory: steps(SERVICE_BASE + (BODY_FACTOR * deployed.maxBodyBytes) / MIB),
    databaseMemory: steps(DATABASE_BASE + connections * row),
    connections,
  }
}

function steps(mebibytes: number): number {
  return Math.ceil(mebibytes / STEP) * STEP
}

/** The size in bytes of the largest row, in a message of the database. */
function largestRowBytes(deployed: DeployedService): number {
  if (!('entity' in deployed)) return 1024
  return Math.max(...entitiesOf(deployed).map(rowBytes))
}
