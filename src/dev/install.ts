import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** How a service gets the dependencies that its user added. */
export interface InstallOptions {
  /** The service's directory, absolute. */
  readonly directory: string
  /** What Portico brings itself. */
  readonly generated: Readonly<Record<string, string>>
  readonly onProgress: (text: string) => void
  readonly signal: AbortSignal
}

/**
 * A line of npm's output: `npm error 404 Not Found - GET https://...`. The word in front repeats its
 * code; lines of details mean nothing to a user.
 */
const NPM_ERROR =
  /^npm (?:error|ERR!) (?!(?:code|syscall|path|dest|errno) |A complete log )(?:(?:\d{3}|[a-z]+) (?=[A-Z'"]))?(.+)$/
/**
 * Installs the dependencies of a service whose `package.json` has others than generation gave it, where that
 * is not done yet. Gives a sentence on failure, else `undefined`.
 */
export async function installDependencies(options: InstallOptions): Promise<string | undefined> {
  const { directory, generated } = options
  const wanted = await dependenciesOf(directory)
  if (typeof wanted === 'string') return wanted
  const further = Object.entries(wanted).filter(([name, range]) => generated[name] !== range)
  if (further.length === 0 || (await isInstalled(directory, Object.keys(wanted)))) return undefined
  options.onProgress(`installing ${further.map(([name]) => name).join(', ')}`)
  const outcome = await npmInstall(directory, options.signal)
  if (outcome === undefined) return undefined
  return `its dependencies could not be installed: ${outcome}`
}

async function dependenciesOf(directory: string): Promise<Readonly<Record<string, string>> | string> {
  const text = await readFile(path.join(directory, 'package.json'), 'utf8').catch(() => '{}')
  try {
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
    return dependencies
  } catch (error) {
    return `its package.json is not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** npm leaves a list of what it installed, which is newer than the `package.json` it was made from. */
async function isInstalled(directory: string, names: readonly string[]): Promise<boolean> {
  const modules = path.join(directory, 'node_modules')
  const [list, wish] = await Promise.all(
    [path.join(modules, '.package-lock.json'), path.join(directory, 'package.json')].map((file) =>
      stat(file).catch(() => undefined),
    ),
  )
  if (list === undefined || wish === undefined || list.mtimeMs < wish.mtimeMs) return false
  return names.every((name) => existsSync(path.join(modules, name)))
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
