import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { freePort } from '../free-port.ts'
import { reachableDirectory, changeOwner, unprivilegedUser } from './system-user.ts'
import { PlatformError } from './platform-error.ts'
import { findBinaries } from './postgres-binaries.ts'
import { createCluster, NO_DISK_SPACE, SUPERUSER, SUPERUSER_PASSWORD_FILE } from './postgres-cluster.ts'
import { releaseStaleLock } from './postgres-lock.ts'

/** How to run the embedded Postgres. */
export interface PostgresOptions {
  /** The data directory. It is created if needed, with its parents. */
  readonly directory: string
  /** Further settings of the server, as in `postgresql.conf`: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The port to listen on. Default: any free port. */
  readonly port?: number
  /** Cancels an initialization. */
  readonly signal?: AbortSignal
  /** Called when the server has been launched. It does not accept connections yet. */
  readonly onLaunch?: () => void
  /** Called with each line of the server's log. */
  readonly onLog?: (line: string) => void
}

/** A Postgres that accepts connections on 127.0.0.1. */
export interface RunningPostgres {
  readonly port: number
  /** The data directory in use: a different one than requested if the account cannot reach that. */
  readonly directory: string
  /** Process id of the server, which ends with this process in any case. */
  readonly pid: number
  /** URL of a database for the superuser. For tests and maintenance, never for a service. */
  superuserUrl(database?: string): string
  /**
   * Creates a role and a database of the same name that it owns if they do not exist, and gives the role a new random
   * password. Only this role and the superuser can connect to the database.
   */
  ensureDatabase(name: string): Promise<ServiceDatabase>
  /** Ends the connections to a database and removes it, but not its role. Does nothing if it does not exist. */
  dropDatabase(name: string): Promise<void>
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>
  /** Stops the server within two seconds, if necessary without a clean shutdown. */
  stop(): Promise<void>
}

/** A database and the only role that may use it. */
export interface ServiceDatabase {
  /** Includes the password. */
  readonly url: string
  readonly password: string
  /** This call created the database, so it is empty. */
  readonly created: boolean
}

/** How long a clean shutdown may take before an immediate one is requested, in ms. */
const CLEAN_SHUTDOWN_MS = 1000
const IDLE_ADMINISTRATION_S = 10
const START_ATTEMPTS = 10
/**
 * For every connection of Portico itself. The client would read all array types first, and if the server stops in the
 * meantime, reject a promise that nobody can handle.
 */
export const CONNECTION = { fetch_types: false, onnotice: () => {} }
const ORPHANS_MS = 200

/**
 * Starts the embedded Postgres on a data directory, which it initializes if it does not exist. Runs it under an
 * unprivileged account if this process is root. Throws PlatformError.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const account = unprivilegedUser()
  const binaries = findBinaries(account)
  const directory = reachableDirectory(path.resolve(options.directory), account)
  if (existsSync(directory)) {
    await releaseStaleLock(directory)
    if (account !== undefined) await changeOwner(directory, account)
  }
  await createCluster(directory, binaries, account, options.signal)
  const password = (await readFile(path.join(directory, SUPERUSER_PASSWORD_FILE), 'utf8')).trim()

  const server = await launchOnFreePort(options, (port) =>
    spawn(binaries.postgres, serverArguments(directory, port, options.settings ?? {}), {
      ...account,
      cwd: directory,
      // In its own process group, so that Ctrl-C does not stop the database before the services.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] },
    }),
  )
  const { close, ...administration } = administer(server.port, password)
  async function stop(): Promise<void> {
    await close()
    await server.stop()
  }
  return { ...server, directory, ...administration, stop }
}

/** Removes a data directory. Throws PlatformError if a server is running on it. */
export async function removePostgresData(directory: string): Promise<void> {
  const actual = reachableDirectory(path.resolve(directory), unprivilegedUser())
  if (existsSync(actual)) await releaseStaleLock(actual)
  await rm(actual, { recursive: true, force: true })
  await rm(`${directory}.location`, { force: true })
}

function serverArguments(
  directory: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    log_min_messages: 'warning',
    // Clients' values must not reach the log.
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: '0',
    ...settings,
  }
  return [
    '-D',
    directory,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

interface Server {
  readonly port: number
  readonly pid: number
  readonly ended: Promise<void>
  stop(): Promise<void>
}

async function launchOnFreePort(
  { port, onLog, onLaunch }: PostgresOptions,
  launch: (port: number) => ChildProcess,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const chosen = port ?? (await freePort())
    const server = launch(chosen)
    onLaunch?.()
    const outcome = await start(server, chosen, onLog)
    if (typeof outcome !== 'string') return outcome
    const inUse = outcome.includes('Address already in use')
    if (inUse && port !== undefined)
      throw new PlatformError(`Port ${port}, which the database needs, is already in use`)
    // Processes of a killed server are still ending.
    const orphaned = outcome.includes('pre-existing shared memory block')
    if ((!inUse && !orphaned) || attempt === START_ATTEMPTS) throw new PlatformError(startFailure(outcome))
    if (orphaned) await setTimeout(ORPHANS_MS)
  }
}

function startFailure(log: string): string {
  if (log.includes('No space left on device')) return NO_DISK_SPACE
  return `Could not start the database: ${log.trim().split('\n').slice(-5).join('\n')}`
}

/** Resolves with the server when it accepts connections, or with its log if it ends before that. */
async function start(
  child: ChildProcess,
  port: number,
  onLog: ((line: string) => void) | undefined,
): Promise<Server | string> {
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => resolve()).once('error', () => resolve()),
  )
  let log = ''
  const ready = new Promise<void>((resolve) => {
    child.once('error', (error) => (log += error.message))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < 10_000) log += text
      if (text.includes('database system is ready to accept connections')) resolve()
      if (onLog !== undefined) for (const line of text.split('\n')) if (line !== '') onLog(line)
    })
  })
  const guard = child.pid === undefined ? undefined : stopWithThisProcess(child.pid)
  const isReady = await Promise.race([ready.then(() => true), ended.then(() => false)])
  void ended.then(() => guard?.kill('SIGKILL'))
  if (!isReady || child.pid === undefined) return log

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return ended
    child.kill('SIGINT')
    const timeout = globalThis.setTimeout(() => child.kill('SIGQUIT'), CLEAN_SHUTDOWN_MS)
    await ended
    clearTimeout(timeout)
  }
  return { port, pid: child.pid, ended, stop }
}

/**
 * Postgres would outlive this process. A shell reads from a pipe that this process holds open, and stops the server
 * when the system closes the pipe.
 */
function stopWithThisProcess(pid: number): ChildProcess {
  const script = `cat >/dev/null; kill -INT $0; sleep ${CLEAN_SHUTDOWN_MS / 1000}; kill -QUIT $0`
  const guard = spawn('/bin/sh', ['-c', script, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => {})
  guard.unref()
  if (guard.stdin !== null && 'unref' in guard.stdin) (guard.stdin as unknown as { unref(): void }).unref()
  return guard
}

/** The URL of a database of a server on this machine. */
export function databaseUrl(port: number, user: string, password: string, database: string): string {
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`
}

function administer(port: number, superuserPassword: string) {
  const url = (user: string, password: string, database: string) =>
    databaseUrl(port, user, password, database)
  const sql = postgres(url(SUPERUSER, superuserPassword, 'postgres'), {
    ...CONNECTION,
    max: 2,
    idle_timeout: IDLE_ADMINISTRATION_S,
  })

  async function ensureDatabase(name: string): Promise<ServiceDatabase> {
    const password = randomBytes(24).toString('base64url')
    const [found] = await sql<{ role: boolean; database: boolean }[]>`
      SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ${name}) AS role,
        EXISTS (SELECT FROM pg_database WHERE datname = ${name}) AS database`
    const verb = found?.role === true ? 'ALTER' : 'CREATE'
    // The password is base64url, so it needs no quoting.
    await sql.unsafe(`${verb} ROLE ${quoted(name)} LOGIN PASSWORD '${password}'`)
    const created = found?.database !== true
    if (created) {
      await sql.unsafe(`CREATE DATABASE ${quoted(name)} OWNER ${quoted(name)}`)
      await sql.unsafe(`REVOKE CONNECT ON DATABASE ${quoted(name)} FROM PUBLIC`)
    }
    // Whatever PGSSLMODE the user has set for other servers: this one has no certificate.
    return { url: `${url(name, password, name)}?sslmode=disable`, password, created }
  }

  return {
    superuserUrl: (database = 'postgres') => url(SUPERUSER, superuserPassword, database),
    ensureDatabase,
    dropDatabase: async (name: string): Promise<void> => {
      await sql.unsafe(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`)
    },
    close: () => sql.end({ timeout: 1 }),
  }
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
