const MIB = 1 << 20
/** Memory of Postgres with its buffers and idle connections, in MiB. */
const DATABASE_BASE = 384
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

/** Resources of a database. */
interface DatabaseCapacity {
  /** For requests. */
  readonly connections: number
  /** In MiB. */
  readonly databaseMemory: number
}

/** Returns what a database needs for rows of up to this many bytes, and for jobs if there are any. */
export function databaseCapacity(largestRow: number, hasJobs: boolean): DatabaseCapacity {
  const row = (ROW_FACTOR * largestRow) / MIB
  const connections = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(ROW_MEMORY / row)))
  const all = connections + (hasJobs ? JOB_CONNECTIONS : 0)
  return { connections, databaseMemory: memorySteps(DATABASE_BASE + all * row) }
}

/** Returns the memory limit of a container that needs this much, in MiB. */
export function memorySteps(mebibytes: number): number {
  return Math.ceil(mebibytes / STEP) * STEP
}
