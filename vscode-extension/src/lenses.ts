import * as vscode from 'vscode'
import { uriOf } from './definitions.ts'

/** A position as the language server protocol has it. */
interface Place {
  readonly line: number
  readonly character: number
}

/** The references that a code lens counts, beside the text. */
export async function showReferences(given: unknown, place: Place): Promise<void> {
  const uri = uriOf(given)
  if (uri === undefined) return
  const position = new vscode.Position(place.line, place.character)
  const locations = await vscode.commands.executeCommand('vscode.executeReferenceProvider', uri, position)
  await vscode.commands.executeCommand('editor.action.showReferences', uri, position, locations)
}

/** The endpoints that a code lens counts, with who may use them: what the name's hover says. */
export async function showEndpoints(given: unknown, place: Place): Promise<void> {
  const uri = uriOf(given)
  if (uri === undefined) return
  const position = new vscode.Position(place.line, place.character)
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(position, position) })
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'focusIfVisible' })
}
