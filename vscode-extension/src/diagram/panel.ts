import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import type { DiagramAnswer, Declaration } from '../../../src/lsp/diagram.ts'
import type { Server } from '../server.ts'
import { enclosing } from './enclosing.ts'
import type { FromPage, ToPage } from './messages.ts'
import { diagramPage } from './page.ts'

/** Typing is followed when it has paused for this many milliseconds. */
const PAUSE_MS = 120

/** What a panel needs from the extension. */
export interface DiagramHost {
  readonly extension: vscode.Uri
  readonly server: Server
  readonly log: vscode.LogOutputChannel
}

/** The diagram of one definition beside its text. */
export class DiagramPanel {
  readonly definition: vscode.Uri
  readonly #panel: vscode.WebviewPanel
  readonly #host: DiagramHost
  readonly #parts: vscode.Disposable[] = []
  #declarations: readonly Declaration[] = []
  #timer: NodeJS.Timeout | undefined
  #asking: vscode.CancellationTokenSource | undefined

  constructor(definition: vscode.Uri, panel: vscode.WebviewPanel, host: DiagramHost) {
    this.definition = definition
    this.#panel = panel
    this.#host = host
    const { webview } = panel
    const media = vscode.Uri.joinPath(host.extension, 'dist', 'webview')
    webview.options = { enableScripts: true, localResourceRoots: [media] }
    panel.iconPath = vscode.Uri.joinPath(host.extension, 'images', 'icon.png')
    this.#parts.push(
      webview.onDidReceiveMessage((message: FromPage) => this.#receive(message)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#isAbout(document)) this.#soon()
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#follow(textEditor)),
      panel.onDidDispose(() => this.#dispose()),
    )
    webview.html = diagramPage({
      source: webview.cspSource,
      script: webview.asWebviewUri(vscode.Uri.joinPath(media, 'main.js')).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(media, 'diagram.css')).toString(),
      nonce: randomBytes(18).toString('base64url'),
      uri: definition.toString(),
    })
  }

  /** Whether it is what the user looks at. */
  get isActive(): boolean {
    return this.#panel.active
  }

  reveal(): void {
    this.#panel.reveal(undefined, true)
  }

  onDidDispose(listener: () => void): void {
    this.#panel.onDidDispose(listener)
  }

  async #receive(message: FromPage): Promise<void> {
    if (message.type === 'ready') await this.#refresh()
    else if (message.type === 'export')
      await vscode.commands.executeCommand('portico.exportDiagram', this.definition)
    else await this.#show(message.name)
  }

  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#refresh(), PAUSE_MS)
  }

  async #refresh(): Promise<void> {
    this.#asking?.cancel()
    const asking = new vscode.CancellationTokenSource()
    this.#asking = asking
    const { server, log } = this.#host
    try {
      const params = { uri: this.definition.toString(), interactive: true }
      const answer = await server.ask<DiagramAnswer>('portico/diagram', params, asking.token)
      if (asking.token.isCancellationRequested) return
      this.#declarations = answer.declarations
      await this.#send({ type: 'diagram', svg: answer.svg })
      const editor = vscode.window.visibleTextEditors.find(({ document }) => this.#isAbout(document))
      if (editor !== undefined) this.#follow(editor)
    } catch (error) {
      // Newer typing made it useless: another request is on its way.
      if (!asking.token.isCancellationRequested) log.warn(`The diagram could not be drawn: ${String(error)}`)
    }
  }

  /** Marks the declaration that the cursor is in. */
  #follow({ document, selection }: vscode.TextEditor): void {
    if (!this.#isAbout(document)) return
    if (!vscode.workspace.getConfiguration('portico').get('diagram.followEditor', true)) return
    const name = enclosing(document.getText(), document.offsetAt(selection.active), this.#starts(document))
    void this.#send({ type: 'mark', name: name ?? null })
  }

  #starts(document: vscode.TextDocument): { name: string; offset: number }[] {
    return this.#declarations.map(({ name, range: { start } }) => ({
      name,
      offset: document.offsetAt(new vscode.Position(start.line, start.character)),
    }))
  }

  async #show(name: string): Promise<void> {
    const range = this.#declarations.find((one) => one.name === name)?.range
    const selection = range && toRange(range)
    if (selection === undefined) return
    const open = vscode.window.visibleTextEditors.find(({ document }) => this.#isAbout(document))
    const editor = await vscode.window.showTextDocument(this.definition, {
      selection,
      viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    })
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport)
  }

  #isAbout({ uri }: vscode.TextDocument): boolean {
    return uri.toString() === this.definition.toString()
  }

  async #send(message: ToPage): Promise<void> {
    await this.#panel.webview.postMessage(message)
  }

  #dispose(): void {
    clearTimeout(this.#timer)
    this.#asking?.cancel()
    for (const part of this.#parts) part.dispose()
  }
}

function toRange({ start, end }: Declaration['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character)
}
