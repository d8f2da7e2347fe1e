import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const CI_HOME = process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci'
const HOME = path.join(CI_HOME, 'api-tools')
const run = promisify(execFile)

/** A program that `.ci/install/api-tools` installs. Throws where it did not. */
export function toolPath(
  name: 'schemathesis' | 'openapi-spec-validator' | 'openapi-python-client' | 'python',
): string {
  const directory = name === 'openapi-python-client' || name === 'python' ? 'python-client' : 'python'
  return installed(path.join(directory, 'bin', name))
}

/** A program of a package from npm, to be run by Node. */
export function nodeToolPath(file: string): string {
  return installed(path.join('node/node_modules', file))
}

/** The packages from npm. */
export const NODE_MODULES = path.join(HOME, 'node/node_modules')

/** The oasdiff that `.ci/install/oasdiff` builds. */
export function oasdiffPath(): string {
  return installed('bin/oasdiff', 'oasdiff')
}

function installed(name: string, component = 'api-tools'): string {
  const file = path.join(CI_HOME, component, name)
  if (!existsSync(file)) throw new Error(`${file} is missing: run .ci/install/${component}`)
  return file
}

/** How a program ended. */
export interface Ended {
  readonly status: number
  /** What it printed, results and messages. */
  readonly output: string
}

/** Runs a program to its end, however it ends. */
export async function runTool(
  file: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const settings = {
    maxBuffer: 256 * 1024 * 1024,
    cwd: options.cwd,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', ...options.env },
  }
  try {
    const { stdout, stderr } = await run(file, args, settings)
    return { status: 0, output: stdout + stderr }
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as { stdout?: string; stderr?: string; code?: unknown }
    return { status: typeof code === 'number' ? code : 1, output: `${stdout}${stderr}` || String(error) }
  }
}
