import { statSync } from 'node:fs'
import path from 'node:path'
import * as vscode from 'vscode'
import { type CommandLine, findCommandLine } from './command-line.ts'

/** The command line to use for a definition on a disk; `undefined` where the setting names none that is there. */
export function commandLineFor(definition: vscode.Uri, extension: vscode.Uri): CommandLine | undefined {
  return findCommandLine({
    setting: vscode.workspace.getConfiguration('portico', definition).get('commandLine.path', '').trim(),
    folders: foldersAbove(path.dirname(definition.fsPath)),
    workspace: vscode.workspace.getWorkspaceFolder(definition)?.uri.fsPath,
    searchPath: (process.env['PATH'] ?? '').split(path.delimiter),
    platform: process.platform,
    ownNode: { command: process.execPath, args: [], env: { ELECTRON_RUN_AS_NODE: '1' } },
    bundled: vscode.Uri.joinPath(extension, 'portico', 'bin', 'portico.mjs').fsPath,
    isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  })
}

function foldersAbove(directory: string): string[] {
  const above = path.dirname(directory)
  return above === directory ? [directory] : [directory, ...foldersAbove(above)]
}
