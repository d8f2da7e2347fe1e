import path from 'node:path'
import * as vscode from 'vscode'
import type { DiagramResult } from '../../../src/lsp/diagram.ts'
import { chooseDefinition, uriOf } from '../definitions.ts'
import { type DiagramHost, DiagramPanel } from './panel.ts'
import type { PageState } from './messages.ts'

/** The type of diagram panels, as in the manifest. */
export const DIAGRAM_VIEW = 'portico.diagram'

/** The diagram panels, one for each definition. */
export class Diagrams implements vscode.WebviewPanelSerializer<PageState | undefined> {
  readonly #panels = new Map<string, DiagramPanel>()
  readonly #host: DiagramHost

  constructor(host: DiagramHost) {
    this.#host = host
  }

  /** *Show Diagram*: shows the diagram of a definition next to its text. */
  async show(argument: unknown): Promise<void> {
    const uri = await chooseDefinition(argument, this.#host.server)
    if (uri === undefined) return
    const existing = this.#panels.get(uri.toString())
    if (existing !== undefined) return existing.reveal()
    const panel = vscode.window.createWebviewPanel(
      DIAGRAM_VIEW,
      `Diagram of ${path.posix.basename(uri.path)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    )
    this.#add(uri, panel)
  }

  /** Restores a panel after the window was reloaded. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: PageState | undefined): Promise<void> {
    if (state === undefined) panel.dispose()
    else this.#add(vscode.Uri.parse(state.uri), panel)
  }

  /** *Export Diagram as SVG*: saves the diagram in the active panel, or that of a definition, as a file. */
  async export(argument: unknown): Promise<void> {
    const active = [...this.#panels.values()].find(({ isActive }) => isActive)
    // The button of a panel passes the URI of the panel.
    const target = uriOf(argument)?.scheme === 'webview-panel' ? undefined : argument
    const { server } = this.#host
    const uri = active?.definition ?? (await chooseDefinition(target, server))
    if (uri === undefined) return
    const { svg } = await server.request<DiagramResult>('portico/diagram', { uri: uri.toString() })
    const name = path.posix.basename(uri.path)
    if (svg === null) {
      void vscode.window.showWarningMessage(`Could not export the diagram because ${name} has errors.`)
      return
    }
    const defaultUri =
      uri.scheme === 'untitled' ? undefined : uri.with({ path: uri.path.replace(/\.[^./]*$/, '.svg') })
    const file = await vscode.window.showSaveDialog({
      title: 'Export Diagram',
      filters: { 'SVG images': ['svg'] },
      ...(defaultUri === undefined ? {} : { defaultUri }),
    })
    if (file === undefined) return
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(svg))
    const open = 'Open'
    const choice = await vscode.window.showInformationMessage(
      `Saved the diagram to ${vscode.workspace.asRelativePath(file)}.`,
      open,
    )
    if (choice === open) await vscode.commands.executeCommand('vscode.open', file)
  }

  #add(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    const diagram = new DiagramPanel(uri, panel, this.#host)
    this.#panels.set(uri.toString(), diagram)
    diagram.onDidDispose(() => this.#panels.delete(uri.toString()))
  }
}
