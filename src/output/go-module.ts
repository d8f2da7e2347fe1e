import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A path of a Go module, as far as it needs no quotes: https://go.dev/ref/mod#module-path */
export const MODULE_PATH = /^[a-z0-9](?:[\w.~-]*[\w~-])?(?:\/[\w~-](?:[\w.~-]*[\w~-])?)*$/i

/** A `go.mod` that only names the module, as `go mod init` and `portico new` write it. */
const NAMES_MODULE = /^\s*module[ \t]+\S+\s*(?:go[ \t]+[\d.]+\s*)?$/

/** Whether generation can replace a `go.mod` that it has not written: it has nothing but the path of the module. */
export function onlyNamesModule(text: string): boolean {
  return NAMES_MODULE.test(text)
}

/** The path of the Go module in an output directory; `undefined` if there is none. */
export function readModule(root: string): string | undefined {
  try {
    const [, module] =
      /^module[ \t]+"?([^\s"]+)"?[ \t]*(?:\/\/.*)?$/m.exec(readFileSync(path.join(root, 'go.mod'), 'utf8')) ??
      []
    return module !== undefined && MODULE_PATH.test(module) ? module : undefined
  } catch {
    return undefined
  }
}
