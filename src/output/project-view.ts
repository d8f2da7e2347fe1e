import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digest } from './digest.ts'
import { directoryOf } from './paths.ts'
import { STATE_DIRECTORY } from './state-directory.ts'
import { isSystemError } from './problem.ts'

/** What stands at a path of an output directory, symbolic links never followed. */
export type Entry =
  | { readonly kind: 'absent' }
  | FileEntry
  /** Something else than a file: a directory, a symbolic link, or a device, pipe or socket. */
  | { readonly kind: 'directory' | 'link' | 'special' }
  /** A part of the way (`at`) is no directory but something else, so nothing can be there. */
  | { readonly kind: 'blocked'; readonly at: string; readonly by: 'file' | 'link' | 'special' }

/** A regular file. Its content is read when it is asked for; only its digest is kept. */
export interface FileEntry {
  readonly kind: 'file'
  /** In the form of `digest`, where line ends do not count. */
  readonly sha256: string
  /** Its content as UTF-8. */
  readonly text: string
}

/** A read-only view of an output directory: all that planning sees of the disk. */
export interface ProjectView {
  /** Throws a system error where the disk cannot be read. */
  entry(path: string): Entry
  /** The file system takes names that differ in case alone for one. */
  readonly ignoresCase: boolean
}

/** No file that is generated comes near this size in bytes; what is larger is not read, only seen to differ. */
const LARGEST_READ = 64 * 1024 * 1024

/** The view of a directory, which need not exist. `root` is absolute and may itself lead through links. */
export function viewDirectory(root: string): ProjectView {
  const ways = new Map<string, Entry | undefined>()
  return {
    entry: (path) => wayTo(directoryOf(path)) ?? entryAt(join(root, path)),
    ignoresCase: ignoresCase(root),
  }

  /** What everything in a directory is, since there is no such directory; `undefined` where there is one. */
  function wayTo(directory: string): Entry | undefined {
    if (directory === '') return undefined
    if (ways.has(directory)) return ways.get(directory)
    const way = wayTo(directoryOf(directory)) ?? ownWay(root, directory)
    ways.set(directory, way)
    return way
  }
}

/** What stands at an absolute path. */
export function entryAt(file: string): Entry {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  if (stats.isSymbolicLink()) return { kind: 'link' }
  if (stats.isDirectory()) return { kind: 'directory' }
  return stats.isFile() ? fileEntry(file, stats.size) : { kind: 'special' }
}

/** Reads a regular file without following a link that was put in its place meanwhile. */
export function readRegularFile(file: string): Buffer {
  // Windows has neither flag. A pipe opened without waiting cannot hold up generation.
  const descriptor = openSync(
    file,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  )
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : Buffer.alloc(0)
  } finally {
    closeSync(descriptor)
  }
}

function fileEntry(file: string, size: number): FileEntry {
  const tooLarge = size > LARGEST_READ
  let sha256: string | undefined
  return {
    kind: 'file',
    get text() {
      return tooLarge ? '' : readRegularFile(file).toString('utf8')
    },
    get sha256() {
      return (sha256 ??= tooLarge ? 'too large' : digest(readRegularFile(file)))
    },
  }
}

function ownWay(root: string, directory: string): Entry | undefined {
  const stats = lstatSync(join(root, directory), { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  if (stats.isDirectory()) return undefined
  const by = stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'special'
  return { kind: 'blocked', at: directory, by }
}

/** Looks for the state directory under another spelling: a new project has none, and no old files to confuse. */
function ignoresCase(root: string): boolean {
  try {
    const inode = lstatSync(join(root, STATE_DIRECTORY), { throwIfNoEntry: false })?.ino
    const other = lstatSync(join(root, STATE_DIRECTORY.toUpperCase()), { throwIfNoEntry: false })?.ino
    return inode !== undefined && inode === other
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}
