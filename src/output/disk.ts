import { closeSync, fdatasync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { isSystemError } from '../system-error.ts'

/** Enough to keep Node's thread pool busy; file systems handle concurrent flushes together. */
const PARALLEL = 8

/** The errors of systems that cannot open directories, or cannot flush them or read-only descriptors. */
const FLUSH_UNSUPPORTED = ['EISDIR', 'EINVAL', 'EPERM', 'EBADF']

/** Flushes the contents of files, or the entries of directories, to the storage device. Throws system errors. */
export async function flush(paths: readonly string[]): Promise<void> {
  const queue = paths.values()
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const path of queue) await flushOne(path)
    }),
  )
}

async function flushOne(path: string): Promise<void> {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    await promisify(fdatasync)(descriptor)
  } catch (error) {
    if (!isSystemError(error) || !FLUSH_UNSUPPORTED.includes(error.code ?? '')) throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * Creates a directory and its missing parents. Throws a system error if one cannot be created. Node's own
 * `recursive` option never returns below a directory that answers ENOENT to new entries, as /proc does.
 */
export function createDirectories(directory: string): void {
  if (isDirectory(directory)) return
  createDirectories(dirname(directory))
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isDirectory(directory)) throw error
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
