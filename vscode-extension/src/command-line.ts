import path from 'node:path'

/** A program to start, with the arguments that come before those of the command. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The places that are searched for the command line. */
export interface SearchOptions {
  /** The setting `portico.commandLine.path`; empty if it is not set. */
  readonly setting: string
  /** Folders whose `node_modules` may contain Portico: the folder of the definition first, then its parents. */
  readonly folders: readonly string[]
  /** The folder that a relative path in the setting starts from. */
  readonly workspace: string | undefined
  /** The directories in the environment variable `PATH`. */
  readonly searchPath: readonly string[]
  readonly platform: NodeJS.Platform
  /** The Node.js that runs scripts. */
  readonly node: Program
  /** The directory that *Install* installs Portico into. */
  readonly installation: string
  /** The command line in the extension, which cannot run platforms. */
  readonly bundled: string
  readonly isFile: (file: string) => boolean
}

/** A command line, and where it was found. */
export interface CommandLine {
  readonly program: Program
  readonly origin: 'setting' | 'workspace' | 'path' | 'installed' | 'bundled'
}

/** The script of the package, which its `bin` field names. */
const SCRIPT = ['node_modules', 'portico', 'bin', 'portico.mjs']

/**
 * Returns the first command line of: the setting, the workspace, the `PATH`, the extension's own installation, the
 * extension itself.
 *
 * @returns `undefined` if the file in the setting does not exist. The other places are not searched then.
 */
export function findCommandLine(options: SearchOptions): CommandLine | undefined {
  const { setting, workspace, folders, isFile } = options
  if (setting !== '') {
    const file = path.resolve(workspace ?? '.', setting)
    return isFile(file) ? { program: programFor(file, options), origin: 'setting' } : undefined
  }
  const local = folders.map((folder) => path.join(folder, ...SCRIPT)).find(isFile)
  if (local !== undefined) return { program: programFor(local, options), origin: 'workspace' }
  const onPath = lookUp('portico', options)
  if (onPath !== undefined) return { program: programFor(onPath, options), origin: 'path' }
  const installed = path.join(options.installation, ...SCRIPT)
  if (isFile(installed)) return { program: programFor(installed, options), origin: 'installed' }
  return { program: programFor(options.bundled, options), origin: 'bundled' }
}

/** Scripts are started with Node.js, because only a shell can start a script on Windows. */
function programFor(file: string, options: SearchOptions): Program {
  const script = scriptOf(file, options)
  if (script === undefined) return { command: file, args: [], env: {} }
  const { node } = options
  return { ...node, args: [...node.args, script] }
}

function scriptOf(file: string, { isFile }: SearchOptions): string | undefined {
  if (/\.[cm]?js$/.test(file)) return file
  // On Windows, npm creates such a file next to the package.
  if (!/\.(?:cmd|ps1)$/i.test(file)) return undefined
  const script = path.join(path.dirname(file), ...SCRIPT)
  return isFile(script) ? script : undefined
}

/** Returns the first program with this name in the directories of `PATH`. */
export function lookUp(
  name: string,
  { searchPath, platform, isFile }: Pick<SearchOptions, 'searchPath' | 'platform' | 'isFile'>,
): string | undefined {
  const extensions = platform === 'win32' ? ['.exe', '.cmd'] : ['']
  return searchPath
    .filter((directory) => directory !== '')
    .flatMap((directory) => extensions.map((extension) => path.join(directory, name + extension)))
    .find(isFile)
}

/** A Node.js and its version: `24.1.0`. */
export interface Node {
  readonly program: Program
  readonly version: string
}

/**
 * Chooses the Node.js that runs scripts: the user's if it is new enough, otherwise the editor's. If both are too old,
 * it is the user's, and the command line says which version it requires.
 *
 * @param users `undefined` if `node` is not on the `PATH`
 */
export function chooseNode(users: Node | undefined, editors: Node): Program {
  if (users === undefined) return editors.program
  const isTooOld = !isSupported(users) && isSupported(editors)
  return isTooOld ? editors.program : users.program
}

/** Whether Portico runs on it: as `engines` in its package.json. */
function isSupported({ version }: Node): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  return major === 24 ? minor >= 16 : major === 26 ? minor >= 1 : major > 26
}
