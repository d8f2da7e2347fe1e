import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PACKAGE_ROOT } from '../../location.ts'

/** A file of the explorer's page. */
export interface Asset {
  /** Media type with charset. */
  readonly type: string
  readonly content: Buffer
}

/** Where the bundle has the page. */
export const BUILT_EXPLORER = new URL('dist/explorer/', PACKAGE_ROOT)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Gives the files of the page by name; `undefined` for what is none of them. They are found at the first call, so
 * that no path of a client ever reaches the file system, and read when they are asked for.
 */
export function openAssets(directory: URL = BUILT_EXPLORER): (name: string) => Asset | undefined {
  let names: ReadonlySet<string> | undefined
  const read = new Map<string, Asset>()
  return (name) => {
    names ??= listFiles(directory)
    if (!names.has(name)) return undefined
    const known = read.get(name)
    if (known !== undefined) return known
    const asset = {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      content: readFileSync(new URL(name, directory)),
    }
    read.set(name, asset)
    return asset
  }
}

function listFiles(directory: URL): ReadonlySet<string> {
  try {
    return new Set(readdirSync(fileURLToPath(directory)))
  } catch {
    // A clone that was not built yet has no page.
    return new Set()
  }
}
