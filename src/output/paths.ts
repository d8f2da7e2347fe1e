import { failure, success, type Outcome } from './problem.ts'
import { STATE_DIRECTORY } from './state-directory.ts'

/** The longest name of a file or directory in bytes that common file systems take (NAME_MAX). */
const MAX_SEGMENT_BYTES = 255

/**
 * Why a path cannot be written into an output directory, as half a sentence, or `undefined` where it can. A
 * good path is relative, has `/` between its segments, goes nowhere but down, means the same on every system,
 * and stays out of the state directory and of version control's own.
 */
export function unsafeReason(path: string): string | undefined {
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

/**
 * Checks that the paths are safe and that no two of them meet on any file system: the same file twice, names
 * that differ in case alone, a file where another needs a directory.
 */
export function checkPaths(paths: readonly string[]): Outcome<undefined> {
  /** What each folded path is spelled like and stands for. */
  const seen = new Map<string, { readonly spelling: string; readonly kind: 'file' | 'directory' }>()
  for (const path of paths) {
    const reason = unsafeReason(path)
    if (reason !== undefined) return failure('path', `The path ${JSON.stringify(path)} ${reason}.`)
    for (const [spelling, kind] of prefixes(path)) {
      const folded = foldCase(spelling)
      const other = seen.get(folded)
      if (other !== undefined && (kind === 'file' || other.kind === 'file' || other.spelling !== spelling))
        return failure('path', `Two generated files meet at ${other.spelling} and ${spelling}.`)
      if (other === undefined) seen.set(folded, { spelling, kind })
    }
  }
  return success(undefined)
}

function* prefixes(path: string): Generator<readonly [string, 'file' | 'directory']> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield [path.slice(0, slash), 'directory']
  yield [path, 'file']
}

/** The directory of a path, `''` for one at the top. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
