import * as vscode from 'vscode'

/**
 * Whether programs may be started for this workspace; says so where not.
 *
 * @param purpose what needs it, as the beginning of a sentence: `Generating`
 */
export async function isTrusted(purpose: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true
  const manage = 'Manage Workspace Trust'
  const answer = await vscode.window.showWarningMessage(
    `${purpose} starts programs, which this workspace is not trusted to do.`,
    manage,
  )
  if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage')
  return false
}
