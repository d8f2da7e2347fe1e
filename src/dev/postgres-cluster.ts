import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Account } from './postgres-account.ts'
import { type Binaries, PostgresError } from './postgres-binaries.ts'

/** The role that made the cluster. */
export const SUPERUSER = 'postgres'
/** In the data directory, which nobody but its account can enter. */
export const SUPERUSER_PASSWORD_FILE = 'superuser-password'

/**
 * Leaves an initialised data directory of our version: made where there is none, whole or not at all.
 * Throws PostgresError where there is one of another version, or no space.
 */
export async function createCluster(
  directory: string,
  binaries: Binaries,
  account: Account | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(directory)) {
    await checkVersion(directory, binaries.majorVersion)
    return
  }
  const staging = await mkdtemp(`${directory}-`).catch((error: NodeJS.ErrnoException) => {
    throw new PostgresError(`The database cannot be made in ${path.dirname(directory)}: ${reason(error)}`)
  })
  try {
    if (account !== undefined) await chown(staging, account.uid, account.gid)
    const data = path.join(staging, 'data')
    await mkdir(data, { mode: 0o700 })
    const passwordFile = path.join(staging, SUPERUSER_PASSWORD_FILE)
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
    if (account !== undefined) {
      for (const entry of [data, passwordFile]) await chown(entry, account.uid, account.gid)
    }
    await initialise(data, passwordFile, binaries, account, signal)
    await rename(passwordFile, path.join(data, SUPERUSER_PASSWORD_FILE))
    await rename(data, directory)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function checkVersion(directory: string, ours: string): Promise<void> {
  const version = await readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined)
    throw new PostgresError(`${directory} holds no database: start with --fresh to make one there.`)
  if (version.trim() !== ours)
    throw new PostgresError(
      `The database in ${directory} is of Postgres ${version.trim()}, and this is Postgres ${ours}: start with --fresh to empty it.`,
    )
}

async function initialise(
  data: string,
  passwordFile: string,
  binaries: Binaries,
  account: Account | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and the same messages on every machine.
    '--locale=C',
    '--no-instructions',
    // The files are new: a crash before they reach the disk costs a second initialisation.
    '--no-sync',
    // Passwords are random and long; rounds of hashing would only slow every new connection.
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
  throw new PostgresError(
    log.includes('No space left on device')
      ? 'There is no disk space left for the database.'
      : `The database could not be initialised: ${log.trim()}`,
  )
}

function reason(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOSPC') return 'there is no disk space left.'
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return 'it cannot be written to.'
  return `${error.message}.`
}
