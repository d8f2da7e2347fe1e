import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import * as vscode from 'vscode'
import { type CommandLine, findCommandLine, lookUp, type Program } from './command-line.ts'
import { chooseNode, type Node } from './node.ts'

/** The command line to use for a definition on a disk; `undefined` where the setting names none that is there. */
export async function commandLineFor(
  definition: vscode.Uri,
  extension: vscode.Uri,
): Promise<CommandLine | undefined> {
  node ??= findNode()
  return findCommandLine({
    ...system(),
    setting: vscode.workspace.getConfiguration('portico', definition).get('commandLine.path', '').trim(),
    folders: foldersAbove(path.dirname(definition.fsPath)),
    workspace: vscode.workspace.getWorkspaceFolder(definition)?.uri.fsPath,
    node: await node,
    bundled: vscode.Uri.joinPath(extension, 'portico', 'bin', 'portico.mjs').fsPath,
  })
}

/** Found once: the versions of a running editor do not change. */
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
    // What does not say its version does not run.
    return chooseNode(undefined, editors)
  }
}

function system(): Parameters<typeof lookUp>[1] {
  return {
    searchPath: (process.env['PATH'] ?? '').split(path.delimiter),
    platform: process.platform,
    isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  }
}

function foldersAbove(directory: string): string[] {
  const above = path.dirname(directory)
  return above === directory ? [directory] : [directory, ...foldersAbove(above)]
}
