import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createDirectories } from '../output/disk.ts'
import { requireOwnDirectory } from './own-directory.ts'
import { writeFileAtomically } from './state-directory.ts'

/**
 * Returns the directory of the keys with which services call others for themselves. Creates those of these files that
 * are missing, so that only their owner can read them. Throws PlatformError if it is not a directory of this user.
 */
export async function serviceKeys(stateDirectory: string, files: readonly string[]): Promise<string> {
  const directory = path.join(stateDirectory, 'service-keys')
  createDirectories(directory)
  requireOwnDirectory(directory)
  for (const name of files) {
    const file = path.join(directory, name)
    if (!existsSync(file))
      await writeFileAtomically(file, `${randomBytes(32).toString('base64url')}\n`, 0o600)
  }
  return directory
}
