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

const MODE_BITS = 0o7777

/**
 * Replaces the text of a file at one stroke: whoever reads it, and whatever happens meanwhile, finds the old
 * text or the new one. Mode and owner stay, and a symbolic link stays one.
 *
 * @throws the system's error, after which the file is as it was.
 */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path)
  const { mode, uid, gid } = statSync(target)
  const fresh = join(dirname(target), `.portico-${process.pid}-${Date.now().toString(36)}.tmp`)
  try {
    const file = openSync(fresh, 'wx', mode & MODE_BITS)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    if (process.getuid?.() === 0) chownSync(fresh, uid, gid)
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
