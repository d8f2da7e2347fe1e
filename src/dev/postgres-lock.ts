import { spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PostgresError } from './postgres-binaries.ts'

/** The server of a process that was just killed needs this long to go, in ms. */
const PATIENCE_MS = 3000
const POLL_MS = 50

/**
 * Removes the lock file that a killed machine or server left behind: Postgres itself would refuse to start
 * where another process has got the old one's number since. Throws PostgresError while a server runs.
 */
export async function releaseStaleLock(directory: string): Promise<void> {
  const lock = path.join(directory, 'postmaster.pid')
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    const text = await readFile(lock, 'utf8').catch(() => undefined)
    if (text === undefined) return
    const pid = Number(text.split('\n', 1)[0])
    if (!(await isPostgres(pid))) return rm(lock, { force: true })
    if (Date.now() > deadline)
      throw new PostgresError(
        `The database in ${directory} is in use by process ${pid}: stop that one first.`,
      )
    await setTimeout(POLL_MS)
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false
  return path.basename((await programOf(pid)).trim()) === 'postgres'
}

/** Small Linux images have no `ps`, and other systems no `/proc`. */
async function programOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
