import * as vscode from 'vscode'
import { chooseDefinition } from './definitions.ts'
import type { Server } from './server.ts'

/**
 * Says what is wrong with a definition. The server checks it, as it does while somebody types, so this works in
 * workspaces that nothing may be started in.
 */
export async function validate(given: unknown, server: Server): Promise<void> {
  const uri = await chooseDefinition(given)
  if (uri === undefined) return
  await vscode.window.showTextDocument(uri)
  await server.start()
  // Its diagnostics are there when the server answers what was asked behind them.
  await server.ask('portico/diagram', { uri: uri.toString() })
  const found = vscode.languages.getDiagnostics(uri)
  const name = vscode.workspace.asRelativePath(uri)
  const errors = found.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length
  if (errors === 0) {
    const others = found.length === 0 ? '' : `, with ${count(found.length, 'note')}`
    void vscode.window.showInformationMessage(`${name} is valid${others}.`)
    return
  }
  await vscode.commands.executeCommand('workbench.actions.view.problems')
  void vscode.window.showWarningMessage(`${name} has ${count(errors, 'error')}.`)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
