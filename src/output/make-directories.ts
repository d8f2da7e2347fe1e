import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a directory and those above it that are missing. Throws a system error where one cannot be made.
 * Node's own `recursive` never ends below a directory that answers ENOENT to new entries, as /proc does.
 */
export function makeDirectories(directory: string): void {
  if (isDirectory(directory)) return
  makeDirectories(path.dirname(directory))
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isDirectory(directory)) throw error
  }
}

function isDirectory(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false
}
