import * as vscode from 'vscode'
import { counted } from '../../src/naming.ts'
import { chooseDefinition } from './definitions.ts'
import type { Server } from './server.ts'

/** Validates a definition with the language server, which works in workspaces that are not trusted too. */
export async function validate(argument: unknown, server: Server): Promise<void> {
  const uri = await chooseDefinition(argument, server)
  if (uri === undefined) return
  await vscode.window.showTextDocument(uri)
  await server.start()
  // The server has published its diagnostics when it responds to a later request.
  await server.request('portico/diagram', { uri: uri.toString() })
  const diagnostics = vscode.languages.getDiagnostics(uri)
  const count = (wanted: vscode.DiagnosticSeverity): number =>
    diagnostics.filter(({ severity }) => severity === wanted).length
  const name = vscode.workspace.asRelativePath(uri)
  const errors = count(vscode.DiagnosticSeverity.Error)
  if (errors === 0) {
    const warnings = count(vscode.DiagnosticSeverity.Warning)
    const suffix = warnings === 0 ? '' : ` (${counted(warnings, 'warning')})`
    void vscode.window.showInformationMessage(`${name} is valid${suffix}.`)
    return
  }
  await vscode.commands.executeCommand('workbench.actions.view.problems')
  void vscode.window.showWarningMessage(`${name} has ${counted(errors, 'error')}.`)
}
