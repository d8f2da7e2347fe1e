import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { databases } from '../../../src/emit/database/databases.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { SCHEMA_OBJECTS, schemaObjects } from '../../emit/migrations/schema-objects.ts'
import { freshDatabase } from '../../postgres.ts'
import type { Deployment } from './deployment.ts'
import { type Outcome, outcomeOf } from './docker.ts'
import { type Ending, type LoadRequest, startLoad } from './load.ts'

/** A platform in use. */
export interface Clients {
  readonly headers: Readonly<Record<string, string>>
  /** The id of the user's `Host`, and of what the user creates. */
  readonly host: string
  /** A home that the load reads and updates. */
  readonly home: string
  /** Addresses of the homes that were created. */
  readonly created: string[]
}

/** Asks the platform for something that it has to grant. */
export async function ask(
  { gateway }: Deployment,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://${gateway}/api${target}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${target}: ${answer.status} ${text}`).toBe(true)
  return JSON.parse(text) as Record<string, unknown>
}

/** Values that every version of `Home` takes: keys that it does not have are ignored. */
export function home(address: string, host: string): object {
  return {
    address,
    rate: 90,
    nightlyRate: 90,
    beds: 2,
    city: 'Leiden',
    district: 'East',
    form: 'house',
    owner: host,
  }
}

/** Does something while clients read and write all the time. No request may fail but those that `refused` lets through. */
export async function inUse(
  deployment: Deployment,
  clients: Clients,
  action: () => Promise<void>,
  refused: (ending: Ending) => boolean = () => false,
): Promise<void> {
  const { headers, host } = clients
  const mark = `${clients.created.length}`
  const next = (number: number): LoadRequest => {
    const write = (method: 'POST' | 'PUT', target: string, address: string): LoadRequest => ({
      method,
      path: target,
      headers,
      body: JSON.stringify(home(address, host)),
    })
    const requests: readonly LoadRequest[] = [
      write('POST', '/api/home', `Load ${mark} ${number}`),
      { method: 'GET', path: '/api/home/all?limit=5', headers },
      write('PUT', `/api/home/${clients.home}`, 'Kept'),
      { method: 'GET', path: `/api/home/${clients.home}`, headers },
      { method: 'GET', path: `/api/host/${host}`, headers },
    ]
    return requests[number % requests.length] ?? write('POST', '/api/home', `Load ${mark} ${number}`)
  }
  const load = startLoad(deployment.gateway, next, { connections: 4, pause: 100 })
  let endings: readonly Ending[]
  try {
    await load.more(10)
    await action()
    await load.more(10)
  } finally {
    endings = await load.stop()
  }
  for (const { request, status } of endings)
    if (request.method === 'POST' && status === 201)
      clients.created.push((JSON.parse(request.body ?? '') as { address: string }).address)
  const failed = endings.filter((ending) => (ending.status < 200 || ending.status > 299) && !refused(ending))
  expect(
    failed.map(
      ({ request, status, error, body }) => `${request.method} ${request.path}: ${status} ${error} ${body}`,
    ),
  ).toEqual([])
}

/** Runs deploy.sh, which has to succeed. */
export async function deployed(deployment: Deployment, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await deployment.script(...args)
  expect(status, stderr).toBe(0)
}

/** What the migrations of a service printed last. */
export async function migrationLog(deployment: Deployment, service: string): Promise<string> {
  return (await deployment.compose('logs', '--no-log-prefix', `${service}.migrate`)).stdout
}

/** Runs SQL in the database of a service, and returns the lines that it prints. */
export async function query(deployment: Deployment, service: string, sql: string): Promise<string> {
  const [container] = await deployment.containers(`${service}-db`)
  if (!container) throw new Error(`${service} has no database`)
  const command =
    'PGPASSWORD=$(cat /run/secrets/database-password) psql -h 127.0.0.1 -U "$SERVICE_ROLE" -d "$POSTGRES_DB" -v ON_ERROR_STOP=1 -qAt'
  const outcome: Outcome = await outcomeOf('docker', ['exec', '-i', container.Id, 'sh', '-c', command], {
    input: Buffer.from(sql),
  })
  expect(outcome.status, outcome.stderr).toBe(0)
  return outcome.stdout.trim()
}

/** Expects that each database has the schema of the definition, but for objects with names like `ours`. */
export async function expectSchemas(deployment: Deployment, ours: RegExp): Promise<void> {
  for (const { directory, tables } of databases(deployment.platform)) {
    const empty = await freshDatabase(schemaScript(tables))
    try {
      const json = await query(
        deployment,
        directory.replace(/-db$/, ''),
        `SELECT json_agg(object) FROM (${SCHEMA_OBJECTS}) AS objects`,
      )
      const found = (JSON.parse(json) as string[]).sort().filter((object) => !ours.test(object))
      expect(found, directory).toEqual(await schemaObjects(empty.sql))
    } finally {
      await empty.drop()
    }
  }
}

/** The path of a migration, by the end of its name. */
export function migrationFile({ directory }: Deployment, service: string, end: string): string {
  const folder = path.join(directory, `${service}-db/migrations`)
  const name = readdirSync(folder).find((file) => file.endsWith(end))
  if (name === undefined) throw new Error(`${folder} has no migration ${end}`)
  return path.join(folder, name)
}
