import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { reachableDirectory, takeOwnership, unprivilegedAccount } from './postgres-account.ts'
import { findBinaries, PostgresError } from './postgres-binaries.ts'
import { createCluster, SUPERUSER, SUPERUSER_PASSWORD_FILE } from './postgres-cluster.ts'
import { releaseStaleLock } from './postgres-lock.ts'

export { PostgresError }

/** How to run the embedded Postgres. */
export interface PostgresOptions {
  /** Where its files go; made when it does not exist. Its parent is made too. */
  readonly directory: string
  /** Settings of the server beside our own, as in `postgresql.conf`: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The port to listen on; without it any free one. */
  readonly port?: number
  /** Ends an initialisation that is under way. */
  readonly signal?: AbortSignal
  /** Takes each line that the server writes to its log. */
  readonly onLog?: (line: string) => void
}

/** A Postgres that accepts connections on 127.0.0.1. */
export interface RunningPostgres {
  readonly port: number
  /** Where its files are: not the directory asked for when the account could not reach that. */
  readonly directory: string
  /** Of the server itself, which dies with this process, however that ends. */
  readonly pid: number
  /** URL of a database for the superuser; for tests and maintenance, never for a service. */
  superuserUrl(database?: string): string
  /**
   * Makes a role that may log in and a database of the same name that it owns, where they do not exist yet,
   * and gives the role a new random password. No other role but the superuser may connect to it.
   */
  ensureDatabase(name: string): Promise<ServiceDatabase>
  /** Removes the database, ending its connections, and leaves the role. Nothing happens when it is not there. */
  dropDatabase(name: string): Promise<void>
  /** Resolves when the server has ended, however that came about. */
  readonly ended: Promise<void>
  /** Ends all connections and the server: within two seconds, if need be without a clean shutdown. */
  stop(): Promise<void>
}

/** A database and the only role that may use it. */
export interface ServiceDatabase {
  /** With the password. */
  readonly url: string
  readonly password: string
  /** It was made by this call and is empty. */
  readonly created: boolean
}

/** Time in ms that a clean shutdown may take before the server is told to leave at once. */
const CLEAN_SHUTDOWN_MS = 1000
const IDLE_ADMINISTRATION_S = 10
const START_ATTEMPTS = 10
const ORPHANS_MS = 200

/**
 * Starts the embedded Postgres on the directory's data, which is initialised first where there is none.
 * As root it runs under an unprivileged account. Throws PostgresError, whose message is for the user.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const account = unprivilegedAccount()
  const binaries = findBinaries(account)
  const directory = reachableDirectory(path.resolve(options.directory), account)
  if (existsSync(directory)) {
    await releaseStaleLock(directory)
    if (account !== undefined) await takeOwnership(directory, account)
  }
  await createCluster(directory, binaries, account, options.signal)
  const password = (await readFile(path.join(directory, SUPERUSER_PASSWORD_FILE), 'utf8')).trim()

  const server = await launchOnFreePort(options, (port) =>
    spawn(binaries.postgres, serverArguments(directory, port, options.settings ?? {}), {
      ...account,
      cwd: directory,
      // A group of its own: Ctrl-C on the terminal must reach the services first, not their database.
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

/** Removes the data of a Postgres that is not running. Throws PostgresError when one runs on it. */
export async function removePostgresData(directory: string): Promise<void> {
  const actual = reachableDirectory(path.resolve(directory), unprivilegedAccount())
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
    // Values of clients must not reach the log.
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
  { port, onLog }: PostgresOptions,
  launch: (port: number) => ChildProcess,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const chosen = port ?? (await freePort())
    const outcome = await start(launch(chosen), chosen, onLog)
    if (typeof outcome !== 'string') return outcome
    const taken = outcome.includes('Address already in use')
    if (taken && port !== undefined) throw new PostgresError(`Port ${port} is taken: the database needs it.`)
    // Processes of a server that was killed are still on their way out.
    const orphaned = outcome.includes('pre-existing shared memory block')
    if ((!taken && !orphaned) || attempt === START_ATTEMPTS) throw new PostgresError(startFailure(outcome))
    if (orphaned) await setTimeout(ORPHANS_MS)
  }
}

function startFailure(log: string): string {
  if (log.includes('No space left on device')) return 'There is no disk space left for the database.'
  return `The database did not start: ${log.trim().split('\n').slice(-5).join('\n')}`
}

/** The server once it accepts connections, or what it logged when it ended before. */
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
    const impatience = globalThis.setTimeout(() => child.kill('SIGQUIT'), CLEAN_SHUTDOWN_MS)
    await ended
    clearTimeout(impatience)
  }
  return { port, pid: child.pid, ended, stop }
}

/**
 * Postgres outlives the process that started it. A shell that waits for the end of its standard input, which
 * this process holds open and the system closes however it ends, stops the server then.
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

function administer(port: number, superuserPassword: string) {
  const url = (user: string, password: string, database: string) =>
    `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`
  const sql = postgres(url(SUPERUSER, superuserPassword, 'postgres'), {
    max: 2,
    idle_timeout: IDLE_ADMINISTRATION_S,
    onnotice: () => {},
  })

  async function ensureDatabase(name: string): Promise<ServiceDatabase> {
    const password = randomBytes(24).toString('base64url')
    const [found] = await sql<{ role: boolean; database: boolean }[]>`
      SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ${name}) AS role,
        EXISTS (SELECT FROM pg_database WHERE datname = ${name}) AS database`
    const verb = found?.role === true ? 'ALTER' : 'CREATE'
    // Of base64url alone, so it needs no quoting.
    await sql.unsafe(`${verb} ROLE ${quoted(name)} LOGIN PASSWORD '${password}'`)
    const created = found?.database !== true
    if (created) {
      await sql.unsafe(`CREATE DATABASE ${quoted(name)} OWNER ${quoted(name)}`)
      await sql.unsafe(`REVOKE CONNECT ON DATABASE ${quoted(name)} FROM PUBLIC`)
    }
    return { url: url(name, password, name), password, created }
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

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new PostgresError('There is no free port.')
  return address.port
}
