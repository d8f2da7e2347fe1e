import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { createDirectories } from '../output/disk.ts'
import { lockOwner, tryLock } from '../output/lock.ts'
import { requireOwnDirectory } from './own-directory.ts'
import { PlatformError } from './platform-error.ts'

/** Where the data of the database is in an output directory, unless its account cannot reach it. */
export const DATA_DIRECTORY = path.join('.portico', 'dev', 'postgres')
const COMPILE_CACHE = 'compile-cache'

/**
 * Returns the directory under the output in which `dev` keeps data, credentials and caches between runs. Creates it
 * if needed and hides it from version control. Throws PlatformError if it is not a directory of this user: a link would
 * lead writes out of the project.
 */
export async function stateDirectory(output: string): Promise<string> {
  const parent = path.join(output, '.portico')
  const directory = path.join(parent, 'dev')
  createDirectories(output)
  for (const each of [parent, directory]) {
    if ((await lstat(each).catch(() => undefined)) === undefined) createDirectories(each)
    requireOwnDirectory(each)
  }
  await writeFileAtomically(path.join(directory, '.gitignore'), '*\n', 0o644)
  return directory
}

/**
 * Returns the directory under the state directory in which Node keeps compiled code. Node follows links to directories
 * there, so one that has any, or that others can change, is deleted.
 */
export function compileCacheDirectory(state: string): string {
  const directory = path.join(state, COMPILE_CACHE)
  try {
    requireOwnDirectory(directory)
    for (const name of readdirSync(directory)) requireOwnDirectory(path.join(directory, name))
  } catch {
    rmSync(directory, { recursive: true, force: true })
    createDirectories(directory)
  }
  return directory
}

/** Whether services of the project have been compiled before. */
export function hasCompiledServices(state: string): boolean {
  return existsSync(path.join(state, COMPILE_CACHE))
}

/**
 * Locks the state directory, because two platforms must not share its data. Returns the function that releases it.
 * Throws PlatformError if another platform holds it.
 */
export function lockStateDirectory(directory: string, output: string): () => void {
  const file = path.join(directory, 'lock')
  const release = tryLock(file)
  if (release !== undefined) return release
  const owner = lockOwner(file)
  throw new PlatformError(
    `\`portico dev\`${owner === undefined ? '' : ` (process ${owner})`} is already running in \`${output}\``,
    'stop it first, or choose another directory with `--output`',
  )
}

/** Writes a file completely or not at all. `mode` as in chmod(2). */
export async function writeFileAtomically(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}
