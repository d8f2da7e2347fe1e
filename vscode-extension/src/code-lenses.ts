import * as vscode from 'vscode'
import type { Position } from 'vscode-languageserver-protocol'
import type { CodeLensMiddleware } from 'vscode-languageclient'
import { uriOf } from './definitions.ts'
import type { Platforms } from './platforms.ts'

/** Replaces the lens `Run` of a definition with `Stop` while its platform runs. */
export function runLenses(platforms: Platforms): CodeLensMiddleware {
  return {
    provideCodeLenses: async (document, token, next) => {
      const lenses = await next(document, token)
      if (platforms.of(document.uri) === undefined) return lenses
      return lenses?.map((lens) => {
        if (lens.command?.command !== 'portico.run') return lens
        return new vscode.CodeLens(lens.range, { ...lens.command, title: 'Stop', command: 'portico.stop' })
      })
    },
  }
}

/** Shows the references that a code lens counts, in a peek view. */
export async function showReferences(argument: unknown, { line, character }: Position): Promise<void> {
  const uri = uriOf(argument)
  if (uri === undefined) return
  const position = new vscode.Position(line, character)
  const locations = await vscode.commands.executeCommand('vscode.executeReferenceProvider', uri, position)
  await vscode.commands.executeCommand('editor.action.showReferences', uri, position, locations)
}

/** Shows the endpoints that a code lens counts: the hover of the name lists them. */
export async function showEndpoints(argument: unknown, { line, character }: Position): Promise<void> {
  const uri = uriOf(argument)
  if (uri === undefined) return
  const position = new vscode.Position(line, character)
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(position, position) })
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'focusIfVisible' })
}
