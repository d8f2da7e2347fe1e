import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { workspaceAbove } from './workspace.ts'

/** Version ranges by package. */
export type Dependencies = Readonly<Record<string, string>>

/** How to install the dependencies that a user added to a project. */
export interface InstallOptions {
  /** The project's directory, absolute. */
  readonly directory: string
  /** The dependencies that Portico provides. */
  readonly generated: Dependencies
  readonly onProgress: (text: string) => void
  readonly signal: AbortSignal
}

/**
 * An error line of npm: `npm error 404 Not Found - GET https://...`. Skips the code in front, and lines of details
 * that do not help a user.
 */
const NPM_ERROR =
  /^npm (?:error|ERR!) (?!(?:code|syscall|path|dest|errno) |A complete log )(?:(?:\d{3}|[a-z]+) (?=[A-Z'"]))?(.+)$/

/**
 * Installs the dependencies of a project if its `package.json` has more than the generated ones and they are not
 * installed yet, in the project or in its workspace. Returns the reason on failure, else `undefined`.
 */
export async function installDependencies(options: InstallOptions): Promise<string | undefined> {
  const { directory, generated } = options
  const wanted = await dependenciesOf(directory)
  if (typeof wanted === 'string') return wanted
  const added = Object.entries(wanted).filter(([name, range]) => generated[name] !== range)
  if (added.length === 0 || (await isInstalled(directory, Object.keys(wanted)))) return undefined
  const { manager = 'npm', root = '' } = workspaceAbove(directory) ?? {}
  if (manager !== 'npm')
    return `the dependencies of the project are not installed. Run \`${manager} install\` in ${root}`
  options.onProgress(`Installing ${added.map(([name]) => name).join(', ')}`)
  const outcome = await npmInstall(directory, options.signal)
  if (outcome === undefined) return undefined
  return `could not install the dependencies of the project: ${outcome}`
}

async function dependenciesOf(directory: string): Promise<Dependencies | string> {
  const text = await readFile(path.join(directory, 'package.json'), 'utf8').catch(() => '{}')
  try {
    return readDependencies(text)
  } catch (error) {
    return `package.json is not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Returns the dependencies in the text of a `package.json`. Throws if it is not JSON. */
export function readDependencies(text: string): Dependencies {
  return (JSON.parse(text) as { dependencies?: Dependencies }).dependencies ?? {}
}

/** npm writes a list of what it installed. It is current if it is newer than `package.json`. Others have no such list. */
async function isInstalled(directory: string, names: readonly string[]): Promise<boolean> {
  const workspace = workspaceAbove(directory)
  const places = [directory, ...(workspace === undefined ? [] : [workspace.root])].map((place) =>
    path.join(place, 'node_modules'),
  )
  if (!names.every((name) => places.some((place) => existsSync(path.join(place, name))))) return false
  if (workspace !== undefined && workspace.manager !== 'npm') return true
  const requested = await modified(path.join(directory, 'package.json'))
  const installed = await Promise.all(places.map((place) => modified(path.join(place, '.package-lock.json'))))
  return Math.max(...installed) >= requested
}

/** When a file was modified, in ms; 0 if it does not exist. */
async function modified(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0
}

function npmInstall(directory: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error'], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    })
    let log = ''
    npm.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
    npm.once('error', (error) => resolve(signal.aborted ? 'it was stopped' : error.message))
    npm.once('close', (status) => resolve(status === 0 ? undefined : reason(log)))
  })
}

function reason(log: string): string {
  const lines = log.split('\n').map((line) => NPM_ERROR.exec(line)?.[1]?.trim() ?? '')
  return (lines.find((line) => line !== '') ?? log.trim().split('\n')[0] ?? '').replace(/\.$/, '')
}
