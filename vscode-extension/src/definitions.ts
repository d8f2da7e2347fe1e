import path from 'node:path'
import * as vscode from 'vscode'
import { LANGUAGE_ID } from './language.ts'

const FILES = '**/*.{portico,temple,templefile}'
/** Examples and the like are not what somebody wants to run; more than these nobody reads through. */
const MOST_OFFERED = 200

/** The definition in the active editor. */
export function activeDefinition(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document
  return document?.languageId === LANGUAGE_ID ? document : undefined
}

/** Every definition in the workspace, sorted by path. */
export async function definitionsInWorkspace(): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(FILES, '**/node_modules/**', MOST_OFFERED)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * The definition that a command is about: the one it was given, that of the active editor, the only one of the
 * workspace, or the one that the user picks. `undefined` where there is none, or none was picked.
 */
export async function chooseDefinition(given: unknown): Promise<vscode.Uri | undefined> {
  const named = uriOf(given) ?? activeDefinition()?.uri
  if (named !== undefined) return named
  const found = await definitionsInWorkspace()
  if (found.length === 0) {
    const create = 'New Definition'
    const answer = await vscode.window.showInformationMessage(
      'There is no definition in this workspace.',
      create,
    )
    if (answer === create) await vscode.commands.executeCommand('portico.newDefinition')
    return undefined
  }
  if (found.length === 1) return found[0]
  const items = found.map((uri) => ({
    label: path.posix.basename(uri.path),
    description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..')),
    uri,
  }))
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Which definition?' }))?.uri
}

/** Code lenses give the address as text, menus as a URI. */
export function uriOf(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) return given
  return typeof given === 'string' ? vscode.Uri.parse(given) : undefined
}

/**
 * The definition as a file with what the editor shows, for programs that read it from the disk. Unsaved changes
 * are saved. `undefined`, with a message, where it is on no disk.
 */
export async function savedOnDisk(uri: vscode.Uri, purpose: string): Promise<vscode.Uri | undefined> {
  let file = uri
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())
  if (open !== undefined && (open.isDirty || open.isUntitled)) {
    // An untitled document is asked where to, and is another one afterwards.
    const saved = await vscode.workspace.save(uri)
    if (saved === undefined) return undefined
    file = saved
  }
  if (file.scheme === 'file') return file
  void vscode.window.showWarningMessage(
    `${purpose} needs the definition as a file on a disk. Save a copy of it in a folder of this machine.`,
  )
  return undefined
}
