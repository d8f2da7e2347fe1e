import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PlatformProblem } from './problem.ts'

/** The result code of SQLite where another connection holds the lock (sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5

/**
 * Takes the state directory for this platform: a second one on it would fight over the data. It is SQLite's
 * lock on an empty file, which the kernel gives up when the process ends, however that ends, so that no stale
 * lock can be left. Gives the function that lets go; throws PlatformProblem while another platform holds it.
 */
export function lockState(stateDirectory: string, output: string): () => void {
  const holderFile = path.join(stateDirectory, 'running')
  const database = new DatabaseSync(path.join(stateDirectory, 'lock'), { timeout: 0 })
  try {
    // A journal in a file would leave one behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (!(error instanceof Error) || !('errcode' in error) || error.errcode !== SQLITE_BUSY) throw error
    throw new PlatformProblem(
      `Another \`portico dev\` (process ${readHolder(holderFile)}) runs the platform in ${output}.`,
      'Stop it first, or choose another directory with --output.',
    )
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return () => database.close()
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
