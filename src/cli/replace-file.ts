import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isSystemError, systemErrorReason } from '../system-error.ts'
import { environmentError } from './command-error.ts'

const MODE_BITS = 0o7777

/**
 * Replaces the content of a file atomically. Its mode and owner are kept, and so is a symbolic link to it.
 *
 * @throws a `CommandError` with status 3, after which the file is unchanged.
 */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path)
  const { mode, uid, gid } = statSync(target)
  const temporary = join(dirname(target), `.portico-${process.pid}-${Date.now().toString(36)}.tmp`)
  try {
    const file = openSync(temporary, 'wx', mode & MODE_BITS)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    if (process.getuid?.() === 0) chownSync(temporary, uid, gid)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    if (!isSystemError(error)) throw error
    // The error names the temporary file.
    throw environmentError(`Could not write \`${path}\`: ${systemErrorReason(error)}`)
  }
}
