import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lchown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { systemErrorReason } from '../system-error.ts'
import { PlatformError } from './platform-error.ts'
import type { SystemUser } from './system-user.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** The role that owns the cluster. */
export const SUPERUSER = 'postgres'
/** Name of the file in the data directory, which only its account can read. */
export const SUPERUSER_PASSWORD_FILE = 'superuser-password'
export const NO_DISK_SPACE = 'No disk space left for the database'

/**
 * Creates a data directory if it does not exist, completely or not at all. Throws PlatformError if it was created by
 * another version of Postgres, or if it cannot be created.
 */
export async function createCluster(
  directory: string,
  binaries: PostgresBinaries,
  account: SystemUser | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(directory)) {
    await checkVersion(directory, binaries.majorVersion)
    return
  }
  const staging = await mkdtemp(`${directory}-`).catch((error: NodeJS.ErrnoException) => {
    throw new PlatformError(
      `Could not create a database in \`${path.dirname(directory)}\`: ${systemErrorReason(error)}`,
    )
  })
  try {
    const data = path.join(staging, 'data')
    await mkdir(data, { mode: 0o700 })
    const passwordFile = path.join(staging, SUPERUSER_PASSWORD_FILE)
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
    if (account !== undefined) {
      // The staging directory comes last. From then on the account can replace the others with links.
      for (const entry of [data, passwordFile, staging]) await lchown(entry, account.uid, account.gid)
    }
    await initialize(data, passwordFile, binaries, account, signal)
    await rename(passwordFile, path.join(data, SUPERUSER_PASSWORD_FILE))
    await rename(data, directory)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function checkVersion(directory: string, ours: string): Promise<void> {
  const version = await readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined)
    throw new PlatformError(
      `\`${directory}\` is not a database directory`,
      'run with `--fresh` to replace it',
    )
  if (version.trim() !== ours)
    throw new PlatformError(
      `The database in \`${directory}\` was created by Postgres ${version.trim()}, but this is Postgres ${ours}`,
      'run with `--fresh` to delete all data and create it again',
    )
}

async function initialize(
  data: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  account: SystemUser | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same sort order and messages on every machine.
    '--locale=C',
    '--no-instructions',
    // The files are new, so a crash before they reach the disk only repeats the initialization.
    '--no-sync',
    // Passwords are long and random, so more hashing would only slow down connections.
    '--set=scram_iterations=1',
  ]
  const child = spawn(binaries.initdb, options, {
    ...account,
    cwd: path.dirname(data),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] },
    ...(signal === undefined ? {} : { signal }),
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => (log += error.message))
    child.once('close', resolve)
  })
  if (status === 0) return
  throw new PlatformError(
    log.includes('No space left on device')
      ? NO_DISK_SPACE
      : `Could not initialize the database: ${log.trim()}`,
  )
}
