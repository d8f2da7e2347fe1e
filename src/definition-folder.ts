import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import path from 'node:path'
import { DEFINITION_FILE, type DefinitionFolder } from './language/imports.ts'
import { isSystemError, systemErrorReason } from './system-error.ts'

/** Larger files are not read. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Why a file that can be opened is not read. */
export class UnsuitableFileError extends Error {
  readonly reason: 'directory' | 'irregular' | 'large'

  constructor(reason: UnsuitableFileError['reason']) {
    super(REASONS[reason])
    this.reason = reason
  }
}

const REASONS = {
  directory: 'it is a directory',
  irregular: 'it is not a regular file',
  large: 'it is too large',
} as const

/**
 * Reads a regular file. A device or a pipe could be endless, so it is refused.
 *
 * @throws an `UnsuitableFileError`, or a system error.
 */
export function readRegularFile(file: string): Buffer {
  // O_NONBLOCK keeps a pipe without a writer from blocking; Windows does not have it.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) throw new UnsuitableFileError('directory')
    if (!stats.isFile()) throw new UnsuitableFileError('irregular')
    if (stats.size > MAX_FILE_BYTES) throw new UnsuitableFileError('large')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Why a definition cannot be read: the end of "Could not read `shop.portico`: ...". */
export interface ReadFailure {
  readonly reason: string
}

/**
 * Decodes a definition. All definitions are decoded here: Node would replace bytes that are not UTF-8 by U+FFFD, which is
 * valid in a string. UTF-16 without a byte order mark is valid UTF-8, but contains NUL.
 */
export function decodeDefinition(bytes: Buffer): string | ReadFailure {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : { reason: 'it is not UTF-8 text' }
}

/** Reads a definition. */
export function readDefinitionFile(file: string): string | ReadFailure {
  try {
    return decodeDefinition(readRegularFile(file))
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): ReadFailure {
  if (error instanceof UnsuitableFileError) return { reason: error.message }
  if (!isSystemError(error)) throw error
  return { reason: systemErrorReason(error) }
}

/**
 * Whether a file in a folder is a link to one outside it.
 *
 * @throws a system error if one of them does not exist.
 */
export function isSymlinkOutside(folder: string, file: string): boolean {
  return !realpathSync(file).startsWith(path.join(realpathSync(folder), path.sep))
}

/** The folder of a definition on the disk. `definition` is its absolute path. */
export function definitionFolder(definition: string): DefinitionFolder {
  const folder = path.dirname(definition)
  const name = path.basename(definition)
  return {
    name,
    read: (imported) => {
      const file = path.join(folder, imported)
      try {
        if (isSymlinkOutside(folder, file)) return { reason: undefined }
      } catch (error) {
        return failureOf(error)
      }
      return readDefinitionFile(file)
    },
    files: () => definitionFilesIn(folder, name),
  }
}

/** The most files that are considered for suggestions, and how deep they may be. */
const MAX_FILES = 1000
const MAX_DEPTH = 4

/** The definition files in a folder and below, except one, as paths with `/`. */
function definitionFilesIn(folder: string, except: string): string[] {
  const found: string[] = []
  const search = (relative: string, depth: number): void => {
    let entries: Dirent[]
    try {
      entries = readdirSync(path.join(folder, relative), { withFileTypes: true })
    } catch {
      // It cannot be read.
      return
    }
    for (const entry of entries) {
      const file = path.posix.join(relative, entry.name)
      if (found.length >= MAX_FILES || entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isDirectory() && depth < MAX_DEPTH) search(file, depth + 1)
      else if (entry.isFile() && DEFINITION_FILE.test(file) && file !== except) found.push(file)
    }
  }
  search('', 0)
  return found
}
