const MIB = 1 << 20
/** Memory of Postgres with its buffers, in MiB. */
const SERVER_MEMORY = 256
/** Memory of the idle connections of a service, in MiB. */
const CONNECTIONS_MEMORY = 128
/** A connection that writes a row holds the message, the value, the row and its answer, each in full. */
const ROW_FACTOR = 10
const MAX_CONNECTIONS = 10
const MIN_CONNECTIONS = 4
/** More connections than `MIN_CONNECTIONS` only as long as this is enough for their rows, in MiB. */
const ROW_MEMORY = 640
const STEP = 128
/** How many jobs a replica runs at a time, unless `JOBS` says otherwise. */
export const DEFAULT_JOBS = 5
/** Connections of a replica for jobs. One more renews their leases while all of them are in transactions. */
export const JOB_CONNECTIONS = DEFAULT_JOBS + 1

/** What a service uses of its database. */
interface ConnectionCapacity {
  /** For requests. */
  readonly connections: number
  /** In MiB. */
  readonly rowMemory: number
}

/** Returns the connections of a service, and the memory that they and those for jobs need, for rows of up to this many bytes. */
export function connectionCapacity(largestRow: number, hasJobs: boolean): ConnectionCapacity {
  const row = (ROW_FACTOR * largestRow) / MIB
  const connections = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(ROW_MEMORY / row)))
  return { connections, rowMemory: (connections + (hasJobs ? JOB_CONNECTIONS : 0)) * row }
}

/** Returns the memory limit of a Postgres with the databases of these services, in MiB. */
export function serverMemory(services: readonly Pick<ConnectionCapacity, 'rowMemory'>[]): number {
  const rows = services.reduce((sum, { rowMemory }) => sum + rowMemory, 0)
  return memorySteps(SERVER_MEMORY + services.length * CONNECTIONS_MEMORY + rows)
}

/** Returns the memory limit of a container that needs this much, in MiB. */
export function memorySteps(mebibytes: number): number {
  return Math.ceil(mebibytes / STEP) * STEP
}
