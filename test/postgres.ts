import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { inject } from 'vitest'
import { type PostgresOptions, type RunningPostgres, startPostgres } from '../src/dev/postgres.ts'

/** A database of its own on the test run's Postgres, and the unprivileged role that owns it. */
export interface TestDatabase {
  /** For the role, with its password. */
  readonly url: string
  /** Of the database and its role. */
  readonly name: string
  readonly password: string
  /** A client as the role. */
  readonly sql: postgres.Sql
  /** Ends the client and removes database and role. */
  drop(): Promise<void>
}

/** Makes an empty database; with `schema`, runs that text of SQL in it as the role. */
export async function freshDatabase(schema?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  await asSuperuser(async (sql) => {
    await sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`)
    await sql.unsafe(`CREATE DATABASE ${name} OWNER ${name}`)
  })
  const url = new URL(await postgresUrl())
  url.username = name
  url.password = password
  url.pathname = name
  const sql = postgres(url.href, { max: 4, onnotice: () => {} })
  if (schema !== undefined) await sql.unsafe(schema)

  async function drop(): Promise<void> {
    await sql.end({ timeout: 1 })
    await asSuperuser(async (superuser) => {
      await superuser.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
      await superuser.unsafe(`DROP ROLE ${name}`)
    })
  }
  return { url: url.href, name, password, sql, drop }
}

/** URL of the test run's Postgres for its superuser. All tests share it: never stop it, never change its settings. */
export async function postgresUrl(): Promise<string> {
  const response = await fetch(inject('postgresStarter'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** A directory for a database that its unprivileged account can enter, so that all its files are inside. */
export async function databaseDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  await chmod(directory, 0o711)
  return directory
}

/** A whole server for one test that stops or breaks it. `discard` stops it and removes its files. */
export async function ownPostgres(
  options: Omit<PostgresOptions, 'directory'> = {},
): Promise<RunningPostgres & { discard(): Promise<void> }> {
  const directory = await databaseDirectory()
  const server = await startPostgres({
    ...options,
    directory: path.join(directory, 'database'),
    settings: { fsync: 'off', full_page_writes: 'off', ...options.settings },
  })
  async function discard(): Promise<void> {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
  return { ...server, discard }
}

async function asSuperuser(run: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(await postgresUrl(), { max: 1, onnotice: () => {} })
  try {
    await run(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
