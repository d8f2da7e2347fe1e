import { readFile } from 'node:fs/promises'
import path from 'node:path'
import postgres from 'postgres'
import { JOBS_TABLE } from '../emit/database/jobs.ts'
import { parseSchema } from '../emit/migrations/recorded-schema.ts'
import { isSystemError } from '../system-error.ts'
import { CONNECTION, databaseUrl } from './postgres.ts'
import { SUPERUSER, SUPERUSER_PASSWORD_FILE } from './postgres-cluster.ts'
import { DATA_DIRECTORY } from './state-directory.ts'

/** A database of a running `portico dev`. */
export interface RunningDatabase {
  /** Declared name of its service. */
  readonly service: string
  /** Signs in as the superuser, and becomes the role of the service, whose own password changes at each start. */
  readonly url: URL
  /** Whether it has a table of jobs. */
  readonly hasJobs: boolean
}

/** The line of `postmaster.pid` with the port. */
const PORT_LINE = 3

/** Returns the databases of the `portico dev` that runs on a project; `undefined` if none does. */
export async function runningDatabases(output: string): Promise<RunningDatabase[] | undefined> {
  try {
    const usual = path.join(output, DATA_DIRECTORY)
    const location = await readFile(`${usual}.location`, 'utf8').catch(() => usual)
    const directory = location.trim()
    const lock = await readFile(path.join(directory, 'postmaster.pid'), 'utf8')
    const password = await readFile(path.join(directory, SUPERUSER_PASSWORD_FILE), 'utf8')
    const port = Number(lock.split('\n')[PORT_LINE])
    const urlOf = (database: string) => databaseUrl(port, SUPERUSER, password.trim(), database)
    const sql = postgres(urlOf('postgres'), { ...CONNECTION, max: 1 })
    try {
      const rows = await sql<{ database: string; comment: string }[]>`
        SELECT datname AS database, shobj_description(oid, 'pg_database') AS comment FROM pg_database
          WHERE shobj_description(oid, 'pg_database') IS NOT NULL ORDER BY datname`
      return rows.flatMap(({ database, comment }) => {
        const recorded = parseSchema(comment)
        if (recorded === undefined) return []
        const url = new URL(urlOf(database))
        url.searchParams.set('sslmode', 'disable')
        // Some clients do not read a plus sign as a space.
        url.search += `&options=${encodeURIComponent(`-c role=${database}`)}`
        const hasJobs = recorded.tables.some(({ name }) => name === JOBS_TABLE)
        return [{ service: recorded.service, url, hasJobs }]
      })
    } finally {
      await sql.end()
    }
  } catch (error) {
    // The files do not exist, or are those of a server that has ended, whose port another one may have.
    if (isSystemError(error) || error instanceof postgres.PostgresError) return undefined
    throw error
  }
}
