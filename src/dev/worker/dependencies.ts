import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** `hono` of `hono/http-exception`, `@hono/node-server` of `@hono/node-server/serve-static`. */
const PACKAGE_NAME = /^(?:@[^/]+\/)?[^./][^/]*/

/** Of what services import, the build of Portico leaves one file each here. From source there is none. */
const BUNDLED = new URL('../dependencies/', import.meta.url)

/** The directory of the package that a file belongs to, by the directory of the file. */
const packages = new Map<string, string>()

/**
 * Loaded first in every thread of a service (its own and those that it starts): what the service has not
 * installed itself it gets from Portico's installation, which holds the same versions. Directories above the
 * service are never asked: in a deployment there are none.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    const name = PACKAGE_NAME.exec(specifier)?.[0]
    if (name === undefined || specifier.includes(':') || parentURL === undefined)
      return next(specifier, context)
    if (!parentURL.startsWith('file:') || parentURL.includes('/node_modules/'))
      return next(specifier, context)
    const own = path.join(packageOf(path.dirname(fileURLToPath(parentURL))), 'node_modules', name)
    if (existsSync(own)) return next(specifier, context)
    const bundled = new URL(`${specifier}.mjs`, BUNDLED)
    if (existsSync(bundled)) return { url: bundled.href, format: 'module', shortCircuit: true }
    return next(specifier, { ...context, parentURL: import.meta.url })
  },
})

function packageOf(directory: string): string {
  const known = packages.get(directory)
  if (known !== undefined) return known
  const parent = path.dirname(directory)
  const found =
    existsSync(path.join(directory, 'package.json')) || parent === directory ? directory : packageOf(parent)
  packages.set(directory, found)
  return found
}
