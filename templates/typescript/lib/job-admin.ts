import { Client, type ClientConfig } from 'pg'
import type { z } from 'zod'
import { type BaseConfig, directConfig, readConfig } from './config.ts'

/** For each kind of job how many wait and are dead, then the dead ones, as lines to read. */
const LIST = `
  SELECT line FROM (
    SELECT name, 0 AS id, format('%s: %s waiting%s, %s dead', name, count(*) FILTER (WHERE dead_at IS NULL),
        ', due for ' || floor(extract(epoch FROM now() - min(run_at) FILTER (WHERE dead_at IS NULL AND run_at <= now()))) || ' s',
        count(dead_at)) AS line
      FROM _job GROUP BY name
    UNION ALL
    SELECT name, id, format('  %s: %s attempts until %s, the last one failed with %s', id, attempt,
        to_char(dead_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), error)
      FROM _job WHERE dead_at IS NOT NULL
  ) AS lines ORDER BY name, id`
/** Not as the attempt 0, at which a job with a key is unique. */
const RETRY = `
  UPDATE _job SET attempt = 1, run_at = now(), error = NULL, dead_at = NULL
    WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR $1 IN (name, id::text))`
const DISCARD = `DELETE FROM _job WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR $1 IN (name, id::text))`

/**
 * Lists the jobs of a database (`list`), lets the dead ones run again (`retry`), or deletes them (`discard`). Returns lines
 * to read. `which` is the name of a kind of job or the id of one; without it, all dead ones.
 */
export async function manageJobs(
  connection: ClientConfig,
  action: string,
  which?: string,
): Promise<string[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    if (action === 'list') return (await client.query<{ line: string }>(LIST)).rows.map(({ line }) => line)
    if (action !== 'retry' && action !== 'discard')
      throw new Error(`Unknown action ${action}. Use list, retry or discard`)
    const { rowCount } = await client.query(action === 'retry' ? RETRY : DISCARD, [which])
    return [
      `${rowCount} dead ${rowCount === 1 ? 'job' : 'jobs'} ${action === 'retry' ? 'will run again' : 'discarded'}`,
    ]
  } finally {
    await client.end()
  }
}

/** `node lib/job-admin.ts home [list|retry|discard] [<job or id>]` looks after the jobs of a service. */
if (import.meta.main) {
  try {
    const [service, action = 'list', which] = process.argv.slice(2)
    const { Config } = (await import(`../${service}/src/config.ts`)) as { Config: z.ZodType<BaseConfig> }
    const lines = await manageJobs(directConfig(readConfig(Config, process.env)), action, which)
    process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
