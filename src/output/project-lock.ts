import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { StatePaths } from './journal.ts'
import { failure, isSystemError, success, type Outcome } from './problem.ts'

/** How a lock is waited for. */
export interface LockOptions {
  /** The longest wait in milliseconds. */
  readonly patience: number
  /** Called once, before the wait, with the process that holds it where that is known. */
  readonly onWait: (holder: number | undefined) => void
}

/** A lock that is held. */
export interface ProjectLock {
  release(): void
}

/** How often a lock is asked for, in milliseconds. */
const INTERVAL = 25

/** The result code of SQLite where another connection holds the lock (sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5

/**
 * Takes the lock of an output directory, against other processes and against this one. It is SQLite's lock on
 * an empty file: the kernel holds it and lets go of it when the process ends, however that ends, so there are
 * no stale locks and no ids of dead processes to guess about. The state directory exists.
 */
export async function takeLock(state: StatePaths, options: LockOptions): Promise<Outcome<ProjectLock>> {
  const deadline = Date.now() + options.patience
  let told = false
  for (;;) {
    const attempt = attemptLock(state)
    if (!attempt.ok) return attempt
    if (attempt.value !== undefined) return success(attempt.value)
    const holder = readHolder(state)
    if (!told) options.onWait(holder)
    told = true
    if (Date.now() >= deadline) {
      const who = holder === undefined ? 'another process' : `process ${holder}`
      return failure(
        'busy',
        `${state.directory} is in use: ${who} is generating into the same directory.`,
        'Wait until it is done, or end it.',
      )
    }
    await delay(INTERVAL)
  }
}

function attemptLock(state: StatePaths): Outcome<ProjectLock | undefined> {
  try {
    return success(tryLock(state))
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error)) throw error
    // Some network file systems have no locks. Without one, two generations could mix.
    const advice = 'Choose an output directory on another file system with --output.'
    return failure('system', `${state.lock}: it cannot be locked (${error.message}).`, advice)
  }
}

/** Takes the lock where it is free. Throws system errors where the file cannot be written. */
export function tryLock(state: StatePaths): ProjectLock | undefined {
  // SQLite would follow a link and make what it points at.
  closeSync(openSync(state.lock, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o666))
  const database = new DatabaseSync(state.lock, { timeout: 0 })
  try {
    // A journal in a file would leave one behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
  writeHolder(state)
  return {
    release: () => {
      rmSync(state.holder, { force: true })
      database.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

/** It only serves messages: a disk without room for it is not worth a failure here. */
function writeHolder(state: StatePaths): void {
  try {
    writeFileSync(state.holder, String(process.pid))
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

function readHolder(state: StatePaths): number | undefined {
  try {
    const text = readFileSync(state.holder, 'utf8')
    return /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}
