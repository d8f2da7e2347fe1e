import { randomBytes } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectories } from '../output/make-directories.ts'
import { PlatformProblem } from './problem.ts'

/**
 * The directory under the output in which `dev` keeps what outlives a run: data, credentials, caches. It is
 * made where it does not exist and hidden from version control. Throws PlatformProblem where something else
 * stands in its place: a link would lead what is written there out of the project.
 */
export async function stateDirectory(output: string): Promise<string> {
  const parent = path.join(output, '.portico')
  const directory = path.join(parent, 'dev')
  makeDirectories(output)
  for (const each of [parent, directory]) {
    const stats = await lstat(each).catch(() => undefined)
    if (stats === undefined) makeDirectories(each)
    else if (!stats.isDirectory())
      throw new PlatformProblem(`${each} is not a directory.`, 'Remove it, then start again.')
  }
  await writeFileAtomically(path.join(directory, '.gitignore'), '*\n', 0o644)
  return directory
}

/** Writes a file whole or not at all. `mode` as in chmod(2). */
export async function writeFileAtomically(file: string, text: string, mode: number): Promise<void> {
  const staging = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const handle = await open(staging, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(staging, file)
  } finally {
    await rm(staging, { force: true })
  }
}
