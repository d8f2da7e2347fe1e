import path from 'node:path'

/** A program to start, with the arguments that come before those of the command. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Where the command line is looked for. */
export interface Surroundings {
  /** The setting `portico.commandLine.path`; empty without one. */
  readonly setting: string
  /** Folders whose `node_modules` may hold Portico: that of the definition first, then those above it. */
  readonly folders: readonly string[]
  /** The folder that a relative setting is in. */
  readonly workspace: string | undefined
  /** Directories of the variable `PATH`. */
  readonly searchPath: readonly string[]
  readonly platform: NodeJS.Platform
  /** Node.js to start scripts with. */
  readonly node: Program
  /** The command line that this extension brings, which runs no platforms. */
  readonly bundled: string
  readonly isFile: (file: string) => boolean
}

/** Where a command line was found, and what it can do. */
export interface CommandLine {
  readonly program: Program
  readonly origin: 'setting' | 'workspace' | 'path' | 'bundled'
}

/** What the package has at its root: the script that its `bin` names. */
const SCRIPT = ['node_modules', 'portico', 'bin', 'portico.mjs']

/**
 * The command line to use: that of the setting, of the workspace, on the `PATH`, or the one that the extension
 * brings, in this order.
 *
 * @returns `undefined` where the setting names a file that is not there: nothing else is used in its place.
 */
export function findCommandLine(surroundings: Surroundings): CommandLine | undefined {
  const { setting, workspace, folders, isFile } = surroundings
  if (setting !== '') {
    const file = path.resolve(workspace ?? '.', setting)
    return isFile(file) ? { program: starting(file, surroundings), origin: 'setting' } : undefined
  }
  const local = folders.map((folder) => path.join(folder, ...SCRIPT)).find(isFile)
  if (local !== undefined) return { program: starting(local, surroundings), origin: 'workspace' }
  const onPath = lookUp('portico', surroundings)
  if (onPath !== undefined) return { program: starting(onPath, surroundings), origin: 'path' }
  return { program: starting(surroundings.bundled, surroundings), origin: 'bundled' }
}

/** A script is started by Node.js, since nothing but a shell can start one on Windows. */
function starting(file: string, surroundings: Surroundings): Program {
  const script = scriptOf(file, surroundings)
  if (script === undefined) return { command: file, args: [], env: {} }
  const { node } = surroundings
  return { ...node, args: [...node.args, script] }
}

function scriptOf(file: string, { isFile }: Surroundings): string | undefined {
  if (/\.[cm]?js$/.test(file)) return file
  // npm puts such a file beside the package on Windows.
  if (!/\.(?:cmd|ps1)$/i.test(file)) return undefined
  const script = path.join(path.dirname(file), ...SCRIPT)
  return isFile(script) ? script : undefined
}

/** A program of this name in the directories of `PATH`. */
export function lookUp(
  name: string,
  { searchPath, platform, isFile }: Pick<Surroundings, 'searchPath' | 'platform' | 'isFile'>,
): string | undefined {
  const endings = platform === 'win32' ? ['.exe', '.cmd'] : ['']
  return searchPath
    .filter((directory) => directory !== '')
    .flatMap((directory) => endings.map((ending) => path.join(directory, name + ending)))
    .find(isFile)
}
