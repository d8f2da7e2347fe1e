import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import * as vscode from 'vscode'
import {
  chooseNode,
  type CommandLine,
  findCommandLine,
  lookUp,
  type Node,
  type Program,
  type SearchOptions,
} from './command-line.ts'

/** The extension's directories that contain a command line. */
export interface ExtensionDirectories {
  /** The directory of the extension, with the bundled package in `portico`. */
  readonly extension: vscode.Uri
  /** The directory that *Install* installs Portico into, of this version of the extension. */
  readonly installation: vscode.Uri
}

/** Returns the directory of the package in the extension. */
export function bundledPackage({ extension }: ExtensionDirectories): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'portico')
}

/** Returns the command line for a definition on disk; `undefined` if the file in the setting does not exist. */
export async function commandLineFor(
  definition: vscode.Uri,
  directories: ExtensionDirectories,
): Promise<CommandLine | undefined> {
  node ??= findNode()
  return findCommandLine({
    ...system(),
    setting: vscode.workspace.getConfiguration('portico', definition).get('commandLine.path', '').trim(),
    folders: ancestors(path.dirname(definition.fsPath)),
    workspace: vscode.workspace.getWorkspaceFolder(definition)?.uri.fsPath,
    node: await node,
    installation: directories.installation.fsPath,
    bundled: vscode.Uri.joinPath(bundledPackage(directories), 'bin', 'portico.mjs').fsPath,
  })
}

/** Returns the `npm` on the `PATH`, if any. */
export function findNpm(): string | undefined {
  return lookUp('npm', system())
}

/** Found once: the versions do not change while the editor runs. */
let node: Promise<Program> | undefined

async function findNode(): Promise<Program> {
  const editors: Node = {
    program: { command: process.execPath, args: [], env: { ELECTRON_RUN_AS_NODE: '1' } },
    version: process.versions.node,
  }
  const command = lookUp('node', system())
  if (command === undefined) return chooseNode(undefined, editors)
  try {
    const { stdout: version } = await promisify(execFile)(command, ['--version'], { timeout: 5000 })
    return chooseNode({ program: { command, args: [], env: {} }, version }, editors)
  } catch {
    // A Node.js that does not print its version does not run.
    return chooseNode(undefined, editors)
  }
}

function system(): Pick<SearchOptions, 'searchPath' | 'platform' | 'isFile'> {
  return {
    searchPath: (process.env['PATH'] ?? '').split(path.delimiter),
    platform: process.platform,
    isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  }
}

/** The directory and its parents, innermost first. */
function ancestors(directory: string): string[] {
  const parent = path.dirname(directory)
  return parent === directory ? [directory] : [directory, ...ancestors(parent)]
}
