import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import type { DiagramDeclaration, DiagramResult } from '../../../src/lsp/diagram.ts'
import type { Server } from '../server.ts'
import type { FromPage, ToPage } from './messages.ts'
import { diagramPage } from './page.ts'

/** The diagram is updated when typing has paused for this many milliseconds. */
const DEBOUNCE_MS = 120

/** What panels use of the extension. */
export interface DiagramHost {
  readonly extension: vscode.Uri
  readonly server: Server
  readonly log: vscode.LogOutputChannel
}

/** The panel with the diagram of one definition. */
export class DiagramPanel {
  readonly definition: vscode.Uri
  readonly #panel: vscode.WebviewPanel
  readonly #host: DiagramHost
  readonly #disposables: vscode.Disposable[] = []
  #declarations: readonly DiagramDeclaration[] = []
  /** The URIs of the files with these. */
  #files: ReadonlySet<string> = new Set()
  #timer: NodeJS.Timeout | undefined
  #request: vscode.CancellationTokenSource | undefined

  constructor(definition: vscode.Uri, panel: vscode.WebviewPanel, host: DiagramHost) {
    this.definition = definition
    this.#panel = panel
    this.#host = host
    const { webview } = panel
    const media = vscode.Uri.joinPath(host.extension, 'dist', 'webview')
    webview.options = { enableScripts: true, localResourceRoots: [media] }
    panel.iconPath = vscode.Uri.joinPath(host.extension, 'images', 'icon.png')
    this.#disposables.push(
      webview.onDidReceiveMessage((message: FromPage) => this.#receive(message)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#isShown(document)) this.#scheduleUpdate()
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => void this.#highlight(textEditor)),
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

  /** Whether the panel is the active editor. */
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
    if (message.type === 'ready') await this.#update()
    else if (message.type === 'export')
      await vscode.commands.executeCommand('portico.exportDiagram', this.definition)
    else await this.#goToDeclaration(message.name)
  }

  #scheduleUpdate(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#update(), DEBOUNCE_MS)
  }

  async #update(): Promise<void> {
    this.#request?.cancel()
    const request = new vscode.CancellationTokenSource()
    this.#request = request
    const { server, log } = this.#host
    try {
      const params = { uri: this.definition.toString(), interactive: true }
      const result = await server.request<DiagramResult>('portico/diagram', params, request.token)
      if (request.token.isCancellationRequested) return
      this.#declarations = result.declarations
      this.#files = new Set(result.declarations.map((one) => vscode.Uri.parse(one.uri).toString()))
      await this.#send({ type: 'diagram', svg: result.svg })
      const editor = vscode.window.visibleTextEditors.find(({ document }) => this.#isShown(document))
      if (editor !== undefined) await this.#highlight(editor)
    } catch (error) {
      // A newer request replaces a cancelled one.
      if (!request.token.isCancellationRequested) log.warn(`Could not draw the diagram: ${String(error)}`)
    }
  }

  /** Highlights the declaration at the cursor. */
  async #highlight({ document, selection }: vscode.TextEditor): Promise<void> {
    if (!this.#isShown(document)) return
    if (!vscode.workspace.getConfiguration('portico').get('diagram.followEditor', true)) return
    const name = await this.#declarationAt(document.uri, selection.active)
    await this.#send({ type: 'highlight', name: name ?? null })
  }

  /** The name of the innermost service or struct at a position. */
  async #declarationAt(uri: vscode.Uri, position: vscode.Position): Promise<string | undefined> {
    // VS Code keeps the symbols of each version of a document.
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    )
    const names = new Set(this.#declarations.map(({ name }) => name))
    let innermost: string | undefined
    let candidates = symbols ?? []
    for (;;) {
      const symbol = candidates.find(({ range }) => range.contains(position))
      if (symbol === undefined) return innermost
      if (names.has(symbol.name)) innermost = symbol.name
      candidates = symbol.children
    }
  }

  async #goToDeclaration(name: string): Promise<void> {
    const declaration = this.#declarations.find((one) => one.name === name)
    if (declaration === undefined) return
    const { start, end } = declaration.range
    const selection = new vscode.Range(start.line, start.character, end.line, end.character)
    const open = vscode.window.visibleTextEditors.find(({ document }) => this.#isShown(document))
    const editor = await vscode.window.showTextDocument(vscode.Uri.parse(declaration.uri), {
      selection,
      viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    })
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport)
  }

  /** Whether a document is a file of the definition. */
  #isShown({ uri }: vscode.TextDocument): boolean {
    const shown = uri.toString()
    return shown === this.definition.toString() || this.#files.has(shown)
  }

  async #send(message: ToPage): Promise<void> {
    await this.#panel.webview.postMessage(message)
  }

  #dispose(): void {
    clearTimeout(this.#timer)
    this.#request?.cancel()
    for (const disposable of this.#disposables) disposable.dispose()
  }
}
