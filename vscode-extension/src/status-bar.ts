import * as vscode from 'vscode'
import { activeDefinition } from './definitions.ts'
import type { Platforms } from './platforms.ts'
import { type Status, statusText } from './status-text.ts'

/**
 * Two status bar items: the problems of the definition in the active editor with the running platforms, and a button
 * that runs or stops the platform of that definition.
 */
export class StatusBar implements vscode.Disposable {
  readonly #status = vscode.window.createStatusBarItem('portico.status', vscode.StatusBarAlignment.Left, 10)
  readonly #button = vscode.window.createStatusBarItem('portico.run', vscode.StatusBarAlignment.Left, 9)
  readonly #platforms: Platforms
  readonly #listeners: vscode.Disposable

  constructor(platforms: Platforms) {
    this.#platforms = platforms
    this.#status.name = 'Portico'
    this.#status.command = 'portico.showMenu'
    this.#button.name = 'Portico: Run'
    const update = (): void => {
      this.#updateStatus()
      this.#updateButton()
    }
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.workspace.onDidGrantWorkspaceTrust(update),
      vscode.languages.onDidChangeDiagnostics(() => this.#updateStatus()),
      platforms.onDidChange(update),
    )
    update()
  }

  dispose(): void {
    this.#listeners.dispose()
    this.#status.dispose()
    this.#button.dispose()
  }

  #updateStatus(): void {
    const shown = statusText({ problems: problems(), platforms: this.#platforms.all })
    if (shown === undefined) return this.#status.hide()
    this.#status.text = shown.text
    this.#status.tooltip = new vscode.MarkdownString(shown.tooltip)
    this.#status.accessibilityInformation = { label: shown.label, role: 'button' }
    this.#status.show()
  }

  #updateButton(): void {
    const definition = activeDefinition()
    if (definition === undefined || !vscode.workspace.isTrusted) return this.#button.hide()
    const isRunning = this.#platforms.of(definition.uri) !== undefined
    const [icon, title, command] = isRunning
      ? ['debug-stop', 'Stop', 'portico.stop']
      : ['play', 'Run', 'portico.run']
    this.#button.text = `$(${icon}) ${title}`
    this.#button.tooltip = `${title} Platform`
    this.#button.command = { command, title, arguments: [definition.uri] }
    this.#button.show()
  }
}

function problems(): Status['problems'] {
  const definition = activeDefinition()
  if (definition === undefined) return undefined
  const diagnostics = vscode.languages.getDiagnostics(definition.uri)
  const count = (severity: vscode.DiagnosticSeverity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  return {
    errors: count(vscode.DiagnosticSeverity.Error),
    warnings: count(vscode.DiagnosticSeverity.Warning),
    isNotImported: diagnostics.some(
      ({ code }) => (typeof code === 'object' ? code.value : code) === 'not-imported',
    ),
  }
}
