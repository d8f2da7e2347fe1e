import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PACKAGE_ROOT } from '../../location.ts'

/** The directory of the built page. */
export const BUILT_EXPLORER = new URL('dist/explorer/', PACKAGE_ROOT)

/**
 * Returns a function that reads a file of the page by its name, or returns `undefined` for other names. The names are
 * listed on the first call, so that no path of a client reaches the file system. Each file is read once.
 */
export function openAssets(directory: URL = BUILT_EXPLORER): (name: string) => Buffer | undefined {
  let names: ReadonlySet<string> | undefined
  const cache = new Map<string, Buffer>()
  return (name) => {
    names ??= listFiles(directory)
    if (!names.has(name)) return undefined
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const asset = readFileSync(new URL(name, directory))
    cache.set(name, asset)
    return asset
  }
}

/** Reads all files of the built page, by name. Empty if the page was not built. */
export function readAssets(directory: URL = BUILT_EXPLORER): ReadonlyMap<string, string> {
  return new Map(
    [...listFiles(directory)].map((name) => [name, readFileSync(new URL(name, directory), 'utf8')]),
  )
}

function listFiles(directory: URL): ReadonlySet<string> {
  try {
    return new Set(readdirSync(fileURLToPath(directory)))
  } catch {
    // A clone that was not built has no page.
    return new Set()
  }
}
