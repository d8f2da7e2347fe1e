import { failure, success, type Outcome } from './problem.ts'
import { STATE_DIRECTORY } from './state-directory.ts'

/** The longest name of a file or directory in bytes that common file systems take (NAME_MAX). */
const MAX_SEGMENT_BYTES = 255

/** Nearly every path: segments of plain characters that end in none but these, the first not in a dot. */
const PLAIN = /^[A-Za-z0-9_-](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?(?:\/[A-Za-z0-9_.-]*[A-Za-z0-9_-])*$/

/**
 * Why a path cannot be written into an output directory, as half a sentence, or `undefined` where it can. A
 * good path is relative, has `/` between its segments, goes nowhere but down, means the same on every system,
 * and stays out of the state directory and of version control's own.
 */
export function unsafeReason(path: string): string | undefined {
  if (PLAIN.test(path) && path.length <= MAX_SEGMENT_BYTES) return undefined
  if (path === '') return 'is empty'
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path)) return 'holds a character that file names cannot have'
  if (!path.isWellFormed()) return 'is not well-formed Unicode'
  if (path.startsWith('/')) return 'is absolute'
  const segments = path.split('/')
  if (segments.some((segment) => segment === '')) return 'has an empty segment'
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'leads out of its directory'
  if (segments.some((segment) => /[. ]$/.test(segment))) return 'has a segment that ends in a dot or space'
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)) return 'is too long'
  const first = foldCase(segments[0] ?? '')
  if (first === STATE_DIRECTORY || first === '.git') return 'is reserved'
  return undefined
}

/** The form in which file systems that ignore case (and Unicode's forms of composition) compare names. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase()
}

/** What a folded path is spelled like and stands for. */
interface Place {
  readonly spelling: string
  readonly kind: 'file' | 'directory'
}

/**
 * Checks that the paths are safe and that no two of them meet on any file system: the same file twice, names
 * that differ in case alone, a file where another needs a directory.
 */
export function checkPaths(paths: readonly string[]): Outcome<undefined> {
  const places = new Map<string, Place>()
  /** Directories that are known under just this spelling. */
  const directories = new Set<string>([''])
  for (const path of paths) {
    const reason = unsafeReason(path)
    if (reason !== undefined) return failure('path', `The path ${JSON.stringify(path)} ${reason}.`)
    const other = meet({ spelling: path, kind: 'file' }) ?? meetDirectory(directoryOf(path))
    if (other !== undefined) return failure('path', `Two generated files meet at ${other} and ${path}.`)
  }
  return success(undefined)

  function meetDirectory(directory: string): string | undefined {
    if (directories.has(directory)) return undefined
    directories.add(directory)
    return meet({ spelling: directory, kind: 'directory' }) ?? meetDirectory(directoryOf(directory))
  }

  /** Takes a place, and gives what stands there already. */
  function meet(place: Place): string | undefined {
    const folded = foldCase(place.spelling)
    const other = places.get(folded)
    places.set(folded, place)
    return other?.spelling
  }
}

/** The directory of a path, `''` for one at the top. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
