import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PACKAGE_ROOT } from '../../location.ts'

/** Where the bundle has the page. */
export const BUILT_EXPLORER = new URL('dist/explorer/', PACKAGE_ROOT)

/**
 * Gives the files of the page by name; `undefined` for what is none of them. They are found at the first call, so
 * that no path of a client ever reaches the file system, and read when they are asked for.
 */
export function openAssets(directory: URL = BUILT_EXPLORER): (name: string) => Buffer | undefined {
  let names: ReadonlySet<string> | undefined
  const read = new Map<string, Buffer>()
  return (name) => {
    names ??= listFiles(directory)
    if (!names.has(name)) return undefined
    const known = read.get(name)
    if (known !== undefined) return known
    const asset = readFileSync(new URL(name, directory))
    read.set(name, asset)
    return asset
  }
}

/** All files of the built page with their names; none where it was not built. */
export function readAssets(directory: URL = BUILT_EXPLORER): ReadonlyMap<string, string> {
  return new Map(
    [...listFiles(directory)].map((name) => [name, readFileSync(new URL(name, directory), 'utf8')]),
  )
}

function listFiles(directory: URL): ReadonlySet<string> {
  try {
    return new Set(readdirSync(fileURLToPath(directory)))
  } catch {
    // A clone that was not built yet has no page.
    return new Set()
  }
}
