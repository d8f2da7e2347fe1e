import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OutputError } from './result.ts'

/** SQLite's result code when another connection holds the lock (sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5

/**
 * Acquires a lock that excludes other processes and other callers in this process. Returns the function that releases
 * it, or `undefined` if it is held. It is SQLite's lock on an empty file: the kernel releases it when the process ends,
 * however it ends, so a lock is never stale.
 *
 * @throws system errors if the file cannot be written, and an `OutputError` if the file system does not support locks.
 */
export function tryLock(file: string): (() => void) | undefined {
  // SQLite would follow a symbolic link and create its target.
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o666))
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // A journal on disk could be left behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    // `wx` does not follow a symbolic link either.
    rmSync(ownerFile(file), { force: true })
    writeFileSync(ownerFile(file), String(process.pid), { flag: 'wx' })
  } catch (error) {
    database.close()
    if (!(error instanceof Error) || !('errcode' in error)) throw error
    if (error.errcode === SQLITE_BUSY) return undefined
    const help = 'choose an output directory on another file system with `--output`'
    throw new OutputError('system', `Could not lock \`${file}\`: ${error.message}`, help)
  }
  return () => {
    rmSync(ownerFile(file), { force: true })
    database.close()
  }
}

/** Returns the process id of a lock's owner for a message, or `undefined` if it is not known. */
export function lockOwner(file: string): number | undefined {
  try {
    return Number(readFileSync(ownerFile(file), 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function ownerFile(file: string): string {
  return `${file}-owner`
}
