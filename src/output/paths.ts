import { CONTROL_CHARACTER } from '../control-characters.ts'
import { OutputError } from './result.ts'
import { STATE_DIRECTORY } from './state-paths.ts'

/** The longest file name that common file systems allow, in bytes (NAME_MAX). */
const MAX_SEGMENT_BYTES = 255

/**
 * Whether a path can be written into an output directory: it is relative, separates segments with `/`, never leaves
 * the directory, means the same on every system, is shown as it is, and is outside the state directory and `.git`.
 */
export function isSafePath(path: string): boolean {
  const segments = path.split('/')
  const first = foldCase(segments[0] ?? '')
  return (
    path.isWellFormed() &&
    path.search(CONTROL_CHARACTER) === -1 &&
    !/[\t\n\\:*?"<>|]/.test(path) &&
    segments.every((segment) => /[^. ]$/.test(segment) && Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES) &&
    first !== STATE_DIRECTORY &&
    first !== '.git'
  )
}

/** Returns the form in which case-insensitive (and Unicode-normalizing) file systems compare names. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase()
}

/**
 * Checks that the paths are safe and differ on every file system.
 *
 * @throws an `OutputError`.
 */
export function checkPaths(paths: readonly string[]): void {
  const taken = new Set<string>()
  for (const path of paths) {
    if (!isSafePath(path))
      throw new OutputError('path', `The generated path ${JSON.stringify(path)} is not allowed`)
    if (taken.has(foldCase(path))) throw new OutputError('path', `Two generated files are called \`${path}\``)
    taken.add(foldCase(path))
  }
}

/** Returns the directory of a path; `''` for a path at the top level. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Returns `main.ts.orig`, or `main.ts.orig.2` and so on if that is taken: no backup is ever overwritten. */
export function freeBackupPath(path: string, isFree: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = `${path}.orig${number === 1 ? '' : `.${number}`}`
    if (isFree(candidate)) return candidate
  }
}
