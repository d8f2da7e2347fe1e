import postgres from 'postgres'
import type { RunningPostgres } from './postgres.ts'

/** What a service's database is to hold. */
export interface DatabaseSchema {
  /** Directory of the service, which names it to the user. */
  readonly service: string
  /** Name of the database and of its role. */
  readonly database: string
  /** SQL that makes the schema in an empty database. */
  readonly sql: string
  /** Its tables as JSON: two texts are equal exactly when the schemas are. */
  readonly snapshot: string
}

/** A schema, and the snapshot of the one that its database holds. */
export interface ChangedSchema {
  readonly schema: DatabaseSchema
  readonly stored: string
}

/** The databases of a platform's services. */
export interface Databases {
  /** Those of the schemas whose database exists and holds another one. */
  changed(schemas: readonly DatabaseSchema[]): Promise<ChangedSchema[]>
  /** Makes a database, role and schema that are not there yet. Gives the URL for the service. */
  ensure(schema: DatabaseSchema): Promise<string>
  /** Removes a database with its data. */
  drop(schema: DatabaseSchema): Promise<void>
  readonly close: () => Promise<void>
}

/**
 * The databases that a server holds. Which schema a database has is written on it (as its comment) once the
 * schema is complete, so that the two cannot disagree; one without was never finished and holds no data.
 */
export function openDatabases(server: RunningPostgres): Databases {
  const admin = postgres(server.superuserUrl(), { max: 1, onnotice: () => {}, idle_timeout: 30 })
  /** A role's password is new in every run: then it has to be found out once only. */
  const urls = new Map<string, Promise<string>>()

  async function snapshotOf(database: string): Promise<string | undefined> {
    const [row] = await admin<{ snapshot: string | null }[]>`
      SELECT shobj_description(oid, 'pg_database') AS snapshot FROM pg_database WHERE datname = ${database}`
    return row?.snapshot ?? undefined
  }

  async function create({ database, sql, snapshot }: DatabaseSchema): Promise<string> {
    if ((await snapshotOf(database)) === undefined) await server.dropDatabase(database)
    const { url, created } = await server.ensureDatabase(database)
    if (!created) return url
    const owner = postgres(url, { max: 1, onnotice: () => {} })
    try {
      await owner.begin((transaction) => transaction.unsafe(sql))
    } finally {
      await owner.end()
    }
    await admin.unsafe(`COMMENT ON DATABASE ${identifier(database)} IS ${literal(snapshot)}`)
    return url
  }

  return {
    changed: async (schemas) => {
      const rows = await admin<{ name: string; snapshot: string | null }[]>`
        SELECT datname AS name, shobj_description(oid, 'pg_database') AS snapshot FROM pg_database`
      const known = new Map(rows.map(({ name, snapshot }) => [name, snapshot]))
      return schemas.flatMap((schema) => {
        const stored = known.get(schema.database) ?? schema.snapshot
        return stored === schema.snapshot ? [] : [{ schema, stored }]
      })
    },
    ensure: (schema) => {
      const known = urls.get(schema.database)
      if (known !== undefined) return known
      const url = create(schema)
      urls.set(schema.database, url)
      url.catch(() => urls.delete(schema.database))
      return url
    },
    drop: async ({ database }) => {
      urls.delete(database)
      await server.dropDatabase(database)
    },
    close: () => admin.end({ timeout: 1 }),
  }
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
