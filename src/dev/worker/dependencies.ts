import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import '../../../templates/typescript/lib/imports.ts'
import { readDependencies } from '../install-dependencies.ts'
import { MISSING_PACKAGE } from '../service-log.ts'
import { workspaceAbove } from '../workspace.ts'

/** `hono` of `hono/http-exception`, `@hono/node-server` of `@hono/node-server/serve-static`. */
const PACKAGE_NAME = /^(?:@[^/]+\/)?[^./#][^/]*/

/** Portico's build has one file here for each package that services import. Its source has none. */
const BUNDLED = new URL('../dependencies/', import.meta.url)

/** Package directories, by the directories of their files. */
const packages = new Map<string, string>()

/**
 * Loaded first in every thread of a service and those that it starts. Resolves packages that the project has not
 * installed from Portico's installation, which has the same versions. Directories above the project are not searched,
 * because a deployment does not have them, except for dependencies that its workspace has installed.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    const name = PACKAGE_NAME.exec(specifier)?.[0]
    if (name === undefined || specifier.includes(':') || parentURL === undefined)
      return next(specifier, context)
    if (!parentURL.startsWith('file:') || parentURL.includes('/node_modules/'))
      return next(specifier, context)
    const project = packageOf(path.dirname(fileURLToPath(parentURL)))
    const own = path.join(project, 'node_modules', name)
    if (existsSync(own)) return next(specifier, context)
    const bundled = new URL(`${specifier}.mjs`, BUNDLED)
    if (existsSync(bundled)) return { url: bundled.href, format: 'module', shortCircuit: true }
    if (isInstalledInWorkspace(project, name)) return next(specifier, context)
    try {
      return next(specifier, { ...context, parentURL: import.meta.url })
    } catch (error) {
      throw notInstalled(error, name, fileURLToPath(parentURL))
    }
  },
})

/** Whether a package is a dependency of a project, and npm, pnpm or yarn has installed it in the project's workspace. */
function isInstalledInWorkspace(project: string, name: string): boolean {
  const root = workspaceAbove(project)?.root
  if (root === undefined || !existsSync(path.join(root, 'node_modules', name))) return false
  return name in readDependencies(readFileSync(path.join(project, 'package.json'), 'utf8'))
}

/** Replaces Node's message for a missing package, which names a file of Portico as the importer. */
function notInstalled(error: unknown, name: string, importer: string): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return error
  const directory = packageOf(path.dirname(importer))
  const file = path.relative(directory, importer)
  const { manager = 'npm' } = workspaceAbove(directory) ?? {}
  const command = `${manager} ${manager === 'npm' ? 'install' : 'add'} ${name}`
  const missing = new Error(
    `\`${name}\` is not installed (${file}). Run \`${command}\` in ${path.basename(directory)}`,
  )
  missing.name = MISSING_PACKAGE
  missing.stack = ''
  return missing
}

function packageOf(directory: string): string {
  const known = packages.get(directory)
  if (known !== undefined) return known
  const parent = path.dirname(directory)
  const found =
    existsSync(path.join(directory, 'package.json')) || parent === directory ? directory : packageOf(parent)
  packages.set(directory, found)
  return found
}
