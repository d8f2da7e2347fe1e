import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { lchown, lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { requireOwnDirectory } from './own-directory.ts'
import { PlatformError } from './platform-error.ts'

/** The user and group to run a process under. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** Holds data directories that the account could not reach elsewhere. It survives a reboot. */
const FALLBACK_ROOT = '/var/tmp/portico'

/**
 * Returns the account to run Postgres under: as root, which Postgres refuses, `postgres` if it exists, else `nobody`;
 * otherwise `undefined`. The account must have a name, because initdb looks it up.
 */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const entry = entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody')
  const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])]
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : undefined
}

/**
 * Returns the data directory to use: `directory`, or one derived from its path if the account cannot reach it;
 * `<directory>.location` then names that. Creates the parents of both. Throws PlatformError if another user controls
 * the place.
 */
export function reachableDirectory(
  directory: string,
  account: SystemUser | undefined,
  fallbackRoot = FALLBACK_ROOT,
): string {
  const parent = path.dirname(directory)
  mkdirSync(parent, { recursive: true })
  if (account === undefined || canEnter(parent, account)) return directory
  const key = createHash('sha256').update(path.join(realpathSync(parent), path.basename(directory)))
  const fallback = path.join(fallbackRoot, key.digest('hex').slice(0, 32))
  mkdirSync(fallbackRoot, { recursive: true, mode: 0o711 })
  requireOwnDirectory(fallbackRoot)
  // `wx` does not follow a link.
  rmSync(`${directory}.location`, { force: true })
  writeFileSync(`${directory}.location`, `${fallback}\n`, { flag: 'wx' })
  return fallback
}

function canEnter(directory: string, account: SystemUser): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  )
}

/**
 * Makes the account the owner of a data directory that this user copied with its project or created before the account
 * existed. No server may be running on it. Throws PlatformError if the directory belongs to somebody else.
 */
export async function changeOwner(directory: string, { uid, gid }: SystemUser): Promise<void> {
  const stats = await lstat(directory)
  if (stats.isDirectory() && stats.uid === uid) return
  requireOwnDirectory(directory)
  await lchownRecursively(directory, uid, gid)
}

/** A link leads out of the database, and so may a file of another user or with a second name. */
async function lchownRecursively(entry: string, uid: number, gid: number): Promise<void> {
  const stats = await lstat(entry)
  const isOwn = stats.uid === uid || stats.uid === process.getuid?.()
  if (!isOwn || (stats.isFile() && stats.nlink > 1))
    throw new PlatformError(
      `\`${entry}\` is not a file of this database`,
      'delete it, or run with `--fresh` to delete all data',
    )
  // A recursive `readdir` would follow links.
  if (stats.isDirectory())
    for (const name of await readdir(entry)) await lchownRecursively(path.join(entry, name), uid, gid)
  // A directory comes after its files, so that an interrupted change is repeated.
  await lchown(entry, uid, gid)
}
