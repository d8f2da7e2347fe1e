import path from 'node:path'
import * as vscode from 'vscode'
import type { DefinitionsParams } from '../../src/lsp/definitions-request.ts'
import type { Server } from './server.ts'

/** The language of definitions. */
export const LANGUAGE_ID = 'portico'

/** The glob pattern of definition files. */
export const DEFINITION_FILES = '**/{*.portico,*.temple,*.templefile,templefile}'
/** The glob pattern of directories without definitions of the user. */
export const EXCLUDED_FILES = '**/node_modules/**'
/** The most definitions that are offered to choose from. */
const MAX_OFFERED = 200

/** Whether the URI is the address of a definition file. */
export function isDefinitionFile({ path: file }: vscode.Uri): boolean {
  return /(?:\.(?:portico|temple|templefile)|\/templefile)$/i.test(file)
}

/** Returns the definition in the active editor. */
export function activeDefinition(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document
  return document?.languageId === LANGUAGE_ID ? document : undefined
}

/** Finds the definitions in the workspace, sorted by path. */
export async function definitionsInWorkspace(): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(DEFINITION_FILES, EXCLUDED_FILES, MAX_OFFERED)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Returns the definition that a command applies to: its argument, the definition in the active editor, the only one
 * in the workspace, or the one that the user picks. For a file without a project, it is the one that imports the file,
 * or if there is none, one above it. `undefined` if there are none, or the user picks none.
 */
export async function chooseDefinition(argument: unknown, server: Server): Promise<vscode.Uri | undefined> {
  const uri = uriOf(argument) ?? activeDefinition()?.uri
  const own = uri === undefined ? [] : await definitionsOf([uri], server)
  if (uri !== undefined && own[0]?.toString() === uri.toString()) return uri
  const files =
    own.length > 0
      ? own
      : (await definitionsOf(await definitionsInWorkspace(), server)).filter(
          (file) => uri === undefined || uri.path.startsWith(vscode.Uri.joinPath(file, '../').path),
        )
  // Commands say what is missing.
  if (uri !== undefined && files.length === 0) return uri
  if (files.length === 0) {
    const create = 'New Definition'
    const choice = await vscode.window.showInformationMessage(
      'This workspace does not contain a Portico definition.',
      create,
    )
    if (choice === create) await vscode.commands.executeCommand('portico.newDefinition')
    return undefined
  }
  if (files.length === 1) return files[0]
  const items = files.map((file) => ({
    label: path.posix.basename(file.path),
    description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(file, '..')),
    uri: file,
  }))
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Select a definition' }))?.uri
}

/** The files with a project whose definitions contain these files, as the language server reads them. */
async function definitionsOf(uris: readonly vscode.Uri[], server: Server): Promise<vscode.Uri[]> {
  // The server reads files on its disk. Of others, it knows only those that the editor has opened.
  const virtual = uris.filter(({ scheme }) => scheme !== 'file')
  await Promise.allSettled(virtual.map((uri) => vscode.workspace.openTextDocument(uri)))
  const params: DefinitionsParams = { uris: uris.map(String) }
  const found = await server.request<readonly string[]>('portico/definitions', params)
  return found.map((uri) => vscode.Uri.parse(uri))
}

/** Converts the argument of a command: code lenses pass a string, menus pass a URI. */
export function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument
  return typeof argument === 'string' ? vscode.Uri.parse(argument) : undefined
}

/**
 * Saves a definition and what it imports, so that programs can read it from disk. `undefined` if the user cancels, or if the definition
 * is not in the file system, which a message then says.
 *
 * @param purpose the start of the message: `Generating`
 */
export async function savedOnDisk(uri: vscode.Uri, purpose: string): Promise<vscode.Uri | undefined> {
  let file = uri
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString())
  if (document !== undefined && (document.isDirty || document.isUntitled)) {
    // Saving an untitled document asks for a path and gives it a new URI.
    const saved = await vscode.workspace.save(uri)
    if (saved === undefined) return undefined
    file = saved
  }
  const folder = vscode.Uri.joinPath(file, '../').path
  for (const open of vscode.workspace.textDocuments)
    if (open.isDirty && open.languageId === LANGUAGE_ID && open.uri.path.startsWith(folder)) await open.save()
  if (file.scheme === 'file') return file
  void vscode.window.showWarningMessage(
    `${purpose} requires a file on this machine. Save a copy of the definition to a local folder.`,
  )
  return undefined
}
