import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { lchown, readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** The user and group to run a process under. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Where the database's files go when the account cannot reach the directory asked for. It survives a reboot. */
const ELSEWHERE = '/var/tmp/portico'

/**
 * Postgres refuses to run as root: then it runs as `postgres`, where that account exists, else as `nobody`.
 * `undefined` when the current account will do. A bare number will not: initdb looks up its name.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const entry = entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody')
  const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])]
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : undefined
}

/**
 * The directory that holds the database's files: the one asked for or, when the account cannot reach it, one
 * of its own that depends on the former's path alone; `<directory>.location` then names it. Both parents
 * exist afterwards.
 */
export function reachableDirectory(directory: string, account: Account | undefined): string {
  const parent = path.dirname(directory)
  mkdirSync(parent, { recursive: true })
  if (account === undefined || canEnter(parent, account)) return directory
  const key = createHash('sha256').update(path.join(realpathSync(parent), path.basename(directory)))
  const elsewhere = path.join(ELSEWHERE, key.digest('hex').slice(0, 32))
  mkdirSync(ELSEWHERE, { recursive: true, mode: 0o711 })
  writeFileSync(`${directory}.location`, `${elsewhere}\n`)
  return elsewhere
}

function canEnter(directory: string, account: Account): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  )
}

/**
 * Makes the account the owner of a database's files where it is not: they were copied with the project, or made
 * before the system had an account `postgres`. No server may run on them.
 */
export async function takeOwnership(directory: string, { uid, gid }: Account): Promise<void> {
  if ((await stat(directory)).uid === uid) return
  // Where a link leads, nothing is of the database's.
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lchown(path.join(entry.parentPath, entry.name), uid, gid)
  // Last, so that an interrupted change is taken up again.
  await lchown(directory, uid, gid)
}
