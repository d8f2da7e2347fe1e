import path from 'node:path'
import * as vscode from 'vscode'
import type { DiagramAnswer } from '../../../src/lsp/diagram.ts'
import { chooseDefinition, uriOf } from '../definitions.ts'
import { type DiagramHost, DiagramPanel } from './panel.ts'
import type { PageState } from './messages.ts'

/** The type of the panels that show diagrams; the manifest names it too. */
export const DIAGRAM_VIEW = 'portico.diagram'

/** The diagrams that are shown, one of each definition. */
export class Diagrams implements vscode.WebviewPanelSerializer<PageState | undefined> {
  readonly #panels = new Map<string, DiagramPanel>()
  readonly #host: DiagramHost

  constructor(host: DiagramHost) {
    this.#host = host
  }

  /** Shows the diagram of a definition beside its text. */
  async show(given: unknown): Promise<void> {
    const uri = await chooseDefinition(given)
    if (uri === undefined) return
    const shown = this.#panels.get(uri.toString())
    if (shown !== undefined) return shown.reveal()
    const panel = vscode.window.createWebviewPanel(
      DIAGRAM_VIEW,
      `Diagram of ${path.posix.basename(uri.path)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    )
    this.#keep(uri, panel)
  }

  /** Shows again what was shown before the window was reloaded. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: PageState | undefined): Promise<void> {
    if (state === undefined) panel.dispose()
    else this.#keep(vscode.Uri.parse(state.uri), panel)
  }

  /** Writes the diagram of a definition, or the one that is looked at, into a file that the user names. */
  async export(given: unknown): Promise<void> {
    const active = [...this.#panels.values()].find(({ isActive }) => isActive)
    // A button on the panel gives the panel's own address.
    const named = uriOf(given)?.scheme === 'webview-panel' ? undefined : given
    const uri = active?.definition ?? (await chooseDefinition(named))
    if (uri === undefined) return
    const { server } = this.#host
    const { svg } = await server.ask<DiagramAnswer>('portico/diagram', { uri: uri.toString() })
    const name = path.posix.basename(uri.path)
    if (svg === null) {
      void vscode.window.showWarningMessage(
        `${name} has errors, so there is no diagram to export. Mend them first.`,
      )
      return
    }
    const beside =
      uri.scheme === 'untitled' ? undefined : uri.with({ path: uri.path.replace(/\.[^./]*$/, '.svg') })
    const target = await vscode.window.showSaveDialog({
      title: 'Export Diagram',
      filters: { 'SVG images': ['svg'] },
      ...(beside === undefined ? {} : { defaultUri: beside }),
    })
    if (target === undefined) return
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(svg))
    const open = 'Open'
    const answer = await vscode.window.showInformationMessage(
      `The diagram is in ${vscode.workspace.asRelativePath(target)}.`,
      open,
    )
    if (answer === open) await vscode.commands.executeCommand('vscode.open', target)
  }

  #keep(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    const shown = new DiagramPanel(uri, panel, this.#host)
    this.#panels.set(uri.toString(), shown)
    shown.onDidDispose(() => this.#panels.delete(uri.toString()))
  }
}
