import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { inject } from 'vitest'
import { SESSION_SETTINGS } from '../templates/typescript/lib/config.ts'
import { type PostgresOptions, type RunningPostgres, startPostgres } from '../src/dev/postgres.ts'

/** A database on the test run's Postgres and the unprivileged role that owns it. */
export interface TestDatabase {
  /** URL for the role, with its password. */
  readonly url: string
  /** Name of the database and its role. */
  readonly name: string
  readonly password: string
  /** A client connected as the role. */
  readonly sql: postgres.Sql
  /** Closes the client and removes the database and the role. */
  drop(): Promise<void>
}

/** Creates an empty database. Runs the SQL of `schema` in it as the role. */
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
  const sql = postgres(url.href, { max: 4, onnotice: () => {}, connection: SESSION_SETTINGS })
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

/** Settings that no service may notice. */
const HOSTILE_SETTINGS = {
  client_encoding: 'LATIN1',
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-3',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: 'serializable',
}

/** Gives new connections to a database settings that change what they read. */
export async function setHostileSettings({ name, sql }: TestDatabase): Promise<void> {
  for (const [setting, value] of Object.entries(HOSTILE_SETTINGS))
    await sql.unsafe(`ALTER DATABASE ${name} SET ${setting} = '${value}'`)
}

/** Superuser's URL of the test run's Postgres. All tests share it, so never stop it or change its settings. */
export async function postgresUrl(): Promise<string> {
  const response = await fetch(inject('postgresStarter'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** Creates a directory that the database's unprivileged account can enter. */
export async function databaseDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  await chmod(directory, 0o711)
  return directory
}

/** Starts a server for a test that stops or breaks it. `discard` stops it and removes its files. */
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
