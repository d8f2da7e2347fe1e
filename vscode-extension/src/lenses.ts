import * as vscode from 'vscode'
import type { Location, Position } from 'vscode-languageclient'
import { uriOf } from './definitions.ts'

/** An endpoint as a code lens describes it. */
export interface EndpointFacts {
  readonly method: string
  readonly path: string
  readonly access?: string
}

/** The references that a code lens counts, beside the text. */
export async function showReferences(
  given: unknown,
  at: Position,
  found?: readonly Location[],
): Promise<void> {
  const uri = uriOf(given)
  if (uri === undefined) return
  const position = new vscode.Position(at.line, at.character)
  const locations =
    found?.map(
      ({ uri: address, range: { start, end } }) =>
        new vscode.Location(
          vscode.Uri.parse(address),
          new vscode.Range(start.line, start.character, end.line, end.character),
        ),
    ) ?? (await vscode.commands.executeCommand('vscode.executeReferenceProvider', uri, position))
  await vscode.commands.executeCommand('editor.action.showReferences', uri, position, locations)
}

/** The endpoints that a code lens counts; the path of the one that is picked goes to the clipboard. */
export async function showEndpoints(
  _uri: unknown,
  name: string,
  endpoints: readonly EndpointFacts[] = [],
): Promise<void> {
  const items = endpoints.map(({ method, path, access = '' }) => ({
    label: `${method} ${path}`,
    description: access,
    path,
  }))
  const picked = await vscode.window.showQuickPick(items, {
    title: `Endpoints of ${name}`,
    placeHolder: 'Enter copies the path.',
  })
  if (picked !== undefined) await vscode.env.clipboard.writeText(picked.path)
}
