import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { DefinitionFolder, ImportFailure } from './language/imports.ts'
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

/**
 * Whether a file in a folder is a link to one outside it.
 *
 * @throws a system error if one of them does not exist.
 */
export function isLinkOut(folder: string, file: string): boolean {
  return !realpathSync(file).startsWith(path.join(realpathSync(folder), path.sep))
}

/** The folder of a definition on the disk. `definition` is its absolute path. */
export function definitionFolder(definition: string): DefinitionFolder {
  const folder = path.dirname(definition)
  return {
    name: path.basename(definition),
    read: (imported): string | ImportFailure => {
      try {
        const file = path.join(folder, imported)
        if (isLinkOut(folder, file)) return { reason: undefined }
        return readRegularFile(file).toString('utf8')
      } catch (error) {
        if (error instanceof UnsuitableFileError) return { reason: error.message }
        if (!isSystemError(error)) throw error
        return { reason: systemErrorReason(error) }
      }
    },
  }
}
