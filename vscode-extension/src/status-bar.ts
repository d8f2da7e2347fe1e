import * as vscode from 'vscode'
import { activeDefinition } from './definitions.ts'
import type { Platforms } from './platforms.ts'
import { type Standing, statusText } from './status-text.ts'

/** The item in the status bar: problems of the definition in the active editor, and platforms that run. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('portico.status', vscode.StatusBarAlignment.Left, 10)
  readonly #platforms: Platforms
  readonly #listeners: vscode.Disposable

  constructor(platforms: Platforms) {
    this.#platforms = platforms
    this.#item.name = 'Portico'
    this.#item.command = 'portico.showMenu'
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.#show()),
      vscode.languages.onDidChangeDiagnostics(() => this.#show()),
      platforms.onDidChange(() => this.#show()),
    )
    this.#show()
  }

  dispose(): void {
    this.#listeners.dispose()
    this.#item.dispose()
  }

  #show(): void {
    const shown = statusText({ problems: problems(), platforms: this.#platforms.all })
    if (shown === undefined) return this.#item.hide()
    this.#item.text = shown.text
    this.#item.tooltip = new vscode.MarkdownString(shown.tooltip)
    this.#item.accessibilityInformation = { label: shown.label, role: 'button' }
    this.#item.show()
  }
}

function problems(): Standing['problems'] {
  const definition = activeDefinition()
  if (definition === undefined) return undefined
  const found = vscode.languages.getDiagnostics(definition.uri)
  const count = (severity: vscode.DiagnosticSeverity): number =>
    found.filter((one) => one.severity === severity).length
  return {
    errors: count(vscode.DiagnosticSeverity.Error),
    warnings: count(vscode.DiagnosticSeverity.Warning),
  }
}
