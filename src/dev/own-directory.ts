import { lstatSync } from 'node:fs'
import { PlatformError } from './platform-error.ts'

const WRITABLE_BY_OTHERS = 0o022

/**
 * Throws PlatformError unless the path is a directory that only the given owner can change. Anybody else could put
 * links into it, and as root this process would read, overwrite or give away the files that they lead to.
 */
export function requireOwnDirectory(directory: string, owner = process.getuid?.()): void {
  const stats = lstatSync(directory)
  if (!stats.isDirectory())
    throw new PlatformError(`\`${directory}\` is not a directory`, 'delete it and run again')
  // Systems without users have no owners.
  if (owner === undefined) return
  if (stats.uid !== owner)
    throw new PlatformError(
      `\`${directory}\` belongs to another user`,
      'run as that user, or delete it and run again',
    )
  if (owner === 0 && (stats.mode & WRITABLE_BY_OTHERS) !== 0)
    throw new PlatformError(
      `\`${directory}\` is writable by other users`,
      `run \`chmod go-w ${directory}\`, then run again`,
    )
}
