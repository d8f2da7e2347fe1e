import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { constants, lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { directoryOf } from './paths.ts'

/** The entry at a path of an output directory. Symbolic links are never followed. */
export type DirectoryEntry =
  | { readonly kind: 'absent' }
  | FileEntry
  /** A directory, a symbolic link, or a device, pipe or socket. */
  | { readonly kind: 'directory' | 'link' | 'special' }
  /** A part of the path (`at`) is not a directory, so nothing can exist below it. */
  | { readonly kind: 'blocked'; readonly at: string; readonly by: 'file' | 'link' | 'special' }

/** A regular file. Its content is read on demand. */
export interface FileEntry {
  readonly kind: 'file'
  /** The `digest` of the content, in which line endings do not count. */
  readonly sha256: string
  /** The content as UTF-8. */
  readonly text: string
}

/** A read-only view of an output directory: planning sees the disk only through it. */
export interface ProjectView {
  /** Throws a system error if the disk cannot be read. */
  entry(path: string): DirectoryEntry
}

/** Returns the view of a directory, which need not exist. `root` is absolute and may contain symbolic links. */
export function viewDirectory(root: string): ProjectView {
  /** For each directory, the entry of every path in it; `undefined` if it exists. */
  const missing = new Map<string, DirectoryEntry | undefined>([['', undefined]])
  return { entry: (path) => entryWithout(directoryOf(path)) ?? entryAt(join(root, path)) }

  function entryWithout(directory: string): DirectoryEntry | undefined {
    if (!missing.has(directory))
      missing.set(directory, entryWithout(directoryOf(directory)) ?? missingEntry(root, directory))
    return missing.get(directory)
  }
}

function missingEntry(root: string, directory: string): DirectoryEntry | undefined {
  const stats = lstatSync(join(root, directory), { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  const by = kindOf(stats)
  return by === 'directory' ? undefined : { kind: 'blocked', at: directory, by }
}

/** Returns the entry at an absolute path. */
export function entryAt(file: string): DirectoryEntry {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  const kind = kindOf(stats)
  if (kind !== 'file') return { kind }
  return {
    kind,
    get text() {
      return readRegularFile(file).toString('utf8')
    },
    get sha256() {
      return digest(readRegularFile(file))
    },
  }
}

function kindOf(stats: Stats): 'file' | 'directory' | 'link' | 'special' {
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'link' : 'special'
}

/** Reads a regular file. Throws if a symbolic link has replaced it. */
export function readRegularFile(file: string): Buffer {
  // Windows does not have this flag.
  return readFileSync(file, { flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) })
}

/**
 * Returns the SHA-256 of a file in lower-case hexadecimal. CRLF counts as LF, because version control may
 * convert line endings on checkout and that is not an edit.
 */
export function digest(content: string | Buffer): string {
  if (!content.includes('\r')) return hash('sha256', content)
  // Latin-1 keeps every byte.
  const text = Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n')
  return hash('sha256', Buffer.from(text, 'latin1'))
}
