import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What definitions are called. */
const DEFINITION = /\.(?:portico|temple|templefile)$/i
/** What definitions are looked for in no deeper than this many directories below a folder. */
const DEEPEST = 12
/** More of them in one workspace than these are looked at when they are opened. */
const MOST_FILES = 1000
/** Nor are more directories gone through. */
const MOST_DIRECTORIES = 20_000

/** The pattern of the files that an editor is to watch. */
export const DEFINITION_PATTERN = '**/*.{portico,temple,templefile}'

/** Whether a file of this address is a definition. */
export function isDefinitionFile(uri: string): boolean {
  return DEFINITION.test(uri)
}

/**
 * The addresses of the definitions in a folder and below it, as they are found. Hidden directories and those of
 * packages are left out, and what cannot be read. Nothing for a folder that is not on the disk.
 */
export async function* definitionFiles(folder: string): AsyncGenerator<string> {
  if (!folder.startsWith('file:')) return
  const directories: { readonly path: string; readonly depth: number }[] = [
    { path: fileURLToPath(folder), depth: 0 },
  ]
  let files = 0
  for (let at = 0; at < Math.min(directories.length, MOST_DIRECTORIES); at++) {
    const directory = directories[at]
    if (directory === undefined) return
    const { path, depth } = directory
    try {
      for await (const entry of await opendir(path)) {
        const isLeftOut = entry.name.startsWith('.') || entry.name === 'node_modules'
        if (entry.isDirectory() && !isLeftOut && depth < DEEPEST)
          directories.push({ path: join(path, entry.name), depth: depth + 1 })
        else if (entry.isFile() && DEFINITION.test(entry.name)) {
          yield pathToFileURL(join(path, entry.name)).href
          if (++files === MOST_FILES) return
        }
      }
    } catch {
      // Not there, or not ours to read.
    }
  }
}
