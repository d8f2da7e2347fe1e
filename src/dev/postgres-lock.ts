import { spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PlatformError } from './platform-error.ts'

/** How long the server of a process that was just killed may take to end, in ms. */
const TIMEOUT_MS = 3000
const POLL_MS = 50

/**
 * Removes a lock file whose process id now belongs to another program. Postgres itself handles one whose process has
 * ended. Throws PlatformError if a server is running on the directory.
 */
export async function releaseStaleLock(directory: string): Promise<void> {
  const lock = path.join(directory, 'postmaster.pid')
  for (const deadline = Date.now() + TIMEOUT_MS; ; ) {
    const text = await readFile(lock, 'utf8').catch(() => undefined)
    const pid = Number(text?.split('\n', 1)[0])
    if (text === undefined || !isAlive(pid)) return
    if (!(await isPostgres(pid))) return rm(lock, { force: true })
    if (Date.now() > deadline)
      throw new PlatformError(
        `The database in \`${directory}\` is in use by process ${pid}`,
        'stop that process first',
      )
    await setTimeout(POLL_MS)
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  return path.basename((await programOf(pid)).trim()) === 'postgres'
}

/** Small Linux images have no `ps`; other systems have no `/proc`. */
async function programOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
