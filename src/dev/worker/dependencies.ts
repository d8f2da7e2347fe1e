import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import '../../../templates/typescript/lib/imports.ts'
import { readDependencies } from '../install-dependencies.ts'
import { DEPENDENCY_ERROR } from '../service-log.ts'
import { workspaceAbove } from '../workspace.ts'

/** What the Dockerfile copies besides the service's own files. */
const IN_EVERY_IMAGE = ['lib', 'node_modules', 'package.json', 'shared']

/** `hono` of `hono/http-exception`, `@hono/node-server` of `@hono/node-server/serve-static`. */
const PACKAGE_NAME = /^(?:@[^/]+\/)?[^./#][^/]*/

/** Portico's build has one file here for each package that services import. Its source has none. */
const BUNDLED = new URL('../dependencies/', import.meta.url)

const POOL_IMPORT = /^import \{ type Dispatcher, Pool \} from 'undici'$/m

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
    if (specifier.startsWith('../') && parentURL?.startsWith('file:')) requireInImage(specifier, parentURL)
    if (name === undefined || specifier.includes(':') || parentURL === undefined)
      return next(specifier, context)
    if (!parentURL.startsWith('file:') || parentURL.includes('/node_modules/'))
      return next(specifier, context)
    const project = packageOf(path.dirname(fileURLToPath(parentURL)))
    const own = path.join(project, 'node_modules', name)
    if (existsSync(own)) return next(specifier, context)
    const file =
      specifier === 'undici' && importsPoolOnly(fileURLToPath(parentURL)) ? 'undici-pool' : specifier
    const bundled = new URL(`${file}.mjs`, BUNDLED)
    if (existsSync(bundled)) return { url: bundled.href, format: 'module', shortCircuit: true }
    if (isInstalledInWorkspace(project, name)) return next(specifier, context)
    try {
      return next(specifier, { ...context, parentURL: import.meta.url })
    } catch (error) {
      throw notInstalled(error, name, fileURLToPath(parentURL))
    }
  },
})

/** Whether a file imports only the pool of undici, as the generated one does. The rest takes 20 ms to load. */
function importsPoolOnly(importer: string): boolean {
  return POOL_IMPORT.test(readFileSync(importer, 'utf8'))
}

/** Throws if a file imports one that is not in the image of its service: `../../host/src/names.ts`. */
function requireInImage(specifier: string, parentURL: string): void {
  const importer = fileURLToPath(parentURL)
  if (importer.includes('/node_modules/')) return
  const project = packageOf(path.dirname(importer))
  const [own, used] = [importer, fileURLToPath(new URL(specifier, parentURL))].map(
    (file) => path.relative(project, file).split(path.sep, 1)[0] ?? '',
  )
  if (used === own || used === undefined || IN_EVERY_IMAGE.includes(used)) return
  throw failure(
    `\`${specifier}\` is not in the image of the service (${path.relative(project, importer)}). Move shared code into shared/`,
  )
}

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
  return failure(`\`${name}\` is not installed (${file}). Run \`${command}\` in ${path.basename(directory)}`)
}

/** An error of which only the message is shown. */
function failure(message: string): Error {
  const error = new Error(message)
  error.name = DEPENDENCY_ERROR
  error.stack = ''
  return error
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
