import { indentWithTab } from '@codemirror/commands'
import { type Action, type Diagnostic, linter, setDiagnostics } from '@codemirror/lint'
import { languageServerExtensions, LSPClient, LSPPlugin, type Transport } from '@codemirror/lsp-client'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import type {
  CodeAction,
  Diagnostic as ServerDiagnostic,
  DocumentDiagnosticReport,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol'
import { DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver-types'
import { type Definition, withText } from './definition.ts'
import { Files, uriOf } from './files.ts'
import { highlighting, requestHighlighting } from './highlighting.ts'
import { isDark } from './theme.ts'

/** What the server does not announce by itself, because the client has no code for it. */
const CAPABILITIES = {
  textDocument: {
    semanticTokens: {
      requests: { full: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } },
      resolveSupport: { properties: ['edit'] },
      dataSupport: true,
    },
    diagnostic: {},
  },
}

const REQUEST_TIMEOUT_MS = 10_000
const HIGHLIGHT_DELAY_MS = 80
/** The quick fixes that a message shows. */
const MAX_FIXES = 3

/** What an editor tells the page. */
export interface EditorEvents {
  readonly onChange: (definition: Definition) => void
  readonly onShow: (path: string) => void
  readonly onProblems: (errors: number, warnings: number) => void
}

/** The editor of a definition, with everything that the language server knows. */
export class DefinitionEditor {
  readonly #view: EditorView
  readonly #client: LSPClient
  readonly #events: EditorEvents
  readonly #states = new Map<string, EditorState>()
  #definition: Definition
  #path: string
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parent: Element, definition: Definition, events: EditorEvents) {
    this.#definition = definition
    this.#path = definition[0].path
    this.#events = events
    const host = {
      show: (path: string) => this.show(path),
      changed: (path: string, text: string) => {
        this.#states.delete(path)
        this.#changed(path, text)
      },
    }
    this.#client = new LSPClient({
      workspace: (client) => new Files(client, definition, host),
      extensions: [...languageServerExtensions(), { clientCapabilities: CAPABILITIES }],
      timeout: REQUEST_TIMEOUT_MS,
    }).connect(transportOf(new Worker('language.js', { type: 'module' })))
    this.#view = new EditorView({ parent, state: this.#stateOf(this.#path) })
    void this.#client.initializing.then(() => this.#refresh(0))
  }

  /** The current text of all files. */
  get definition(): Definition {
    return this.#definition
  }

  /** Replaces the definition, and shows its main file. This is not reported as a change. */
  replace(definition: Definition): void {
    this.#definition = definition
    this.#states.clear()
    ;(this.#client.workspace as Files).replace(definition)
    this.#path = definition[0].path
    this.#view.setState(this.#stateOf(this.#path))
    this.#events.onShow(this.#path)
    this.#refresh(0)
  }

  /** Shows a file. */
  show(path: string): EditorView {
    if (path !== this.#path) {
      this.#client.sync()
      this.#states.set(this.#path, this.#view.state)
      this.#path = path
      this.#view.setState(this.#stateOf(path))
      this.#events.onShow(path)
      this.#refresh(0)
    }
    this.#view.focus()
    return this.#view
  }

  #stateOf(path: string): EditorState {
    const known = this.#states.get(path)
    if (known !== undefined) return known
    return EditorState.create({
      doc: this.#definition.find((file) => file.path === path)?.text ?? '',
      extensions: [
        basicSetup,
        EditorView.theme({}, { dark: isDark() }),
        EditorView.contentAttributes.of({ 'aria-label': path, tabindex: '0' }),
        keymap.of([indentWithTab]),
        this.#client.plugin(uriOf(path), 'portico'),
        linter(null),
        highlighting,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return
          this.#changed(path, update.state.doc.toString())
          this.#refresh(HIGHLIGHT_DELAY_MS)
        }),
      ],
    })
  }

  #changed(path: string, text: string): void {
    this.#definition = withText(this.#definition, path, text)
    this.#events.onChange(this.#definition)
  }

  #refresh(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#client.sync()
      void requestHighlighting(this.#client, this.#view, uriOf(this.#path))
      void this.#diagnose()
    }, delay)
  }

  /** The server responds when typing has paused. */
  async #diagnose(): Promise<void> {
    const shown = this.#path
    const { doc } = this.#view.state
    const isCurrent = (): boolean => this.#path === shown && this.#view.state.doc === doc
    const reports = await Promise.all(
      this.#definition.map(({ path }) => this.#diagnosticsOf(path).catch(() => [])),
    )
    if (!isCurrent()) return
    const count = (severity: DiagnosticSeverity): number =>
      reports.flat().filter((each) => each.severity === severity).length
    this.#events.onProblems(count(DiagnosticSeverity.Error), count(DiagnosticSeverity.Warning))
    const own = reports[this.#definition.findIndex(({ path }) => path === shown)] ?? []
    const diagnostics = await Promise.all(own.map((each) => this.#shownDiagnostic(each)))
    if (isCurrent()) this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics.flat()))
  }

  async #diagnosticsOf(path: string): Promise<ServerDiagnostic[]> {
    const report = await this.#request<DocumentDiagnosticReport>('textDocument/diagnostic', path)
    return report.kind === 'full' ? report.items : []
  }

  async #shownDiagnostic(diagnostic: ServerDiagnostic): Promise<Diagnostic[]> {
    const plugin = LSPPlugin.get(this.#view)
    const { range, severity, code, message, tags = [] } = diagnostic
    if (plugin === null || tags.includes(DiagnosticTag.Unnecessary)) return []
    return [
      {
        from: plugin.fromPosition(range.start),
        to: plugin.fromPosition(range.end),
        severity:
          severity === DiagnosticSeverity.Error
            ? 'error'
            : severity === DiagnosticSeverity.Warning
              ? 'warning'
              : 'info',
        source: String(code ?? ''),
        message: typeof message === 'string' ? message : message.value,
        actions: await this.#fixes(diagnostic).catch(() => []),
      },
    ]
  }

  async #fixes(diagnostic: ServerDiagnostic): Promise<Action[]> {
    const context = { diagnostics: [diagnostic], only: ['quickfix'] }
    const found = await this.#request<CodeAction[] | null>('textDocument/codeAction', this.#path, {
      range: diagnostic.range,
      context,
    })
    return (found ?? [])
      .slice(0, MAX_FIXES)
      .map((action) => ({ name: action.title, apply: () => void this.#apply(action) }))
  }

  async #apply(action: CodeAction): Promise<void> {
    const { edit } = action.edit
      ? action
      : await this.#client.request<CodeAction, CodeAction>('codeAction/resolve', action)
    if (edit === undefined) return
    for (const [uri, edits] of editsOf(edit)) {
      const file = this.#client.workspace.getFile(uri)
      const plugin = LSPPlugin.get(this.#view)
      if (file === null || plugin === null) continue
      const doc = file.getView()?.state.doc ?? file.doc
      this.#client.workspace.updateFile(uri, {
        changes: edits.map(({ range, newText }) => ({
          from: plugin.fromPosition(range.start, doc),
          to: plugin.fromPosition(range.end, doc),
          insert: newText,
        })),
      })
    }
  }

  #request<Result>(method: string, path: string, more: object = {}): Promise<Result> {
    return this.#client.request(method, { textDocument: { uri: uriOf(path) }, ...more })
  }
}

type Edits = NonNullable<WorkspaceEdit['changes']>[string]

/** The edits of an action, by the URI of the file. */
function editsOf({ changes = {}, documentChanges = [] }: WorkspaceEdit): [string, Edits][] {
  const versioned = documentChanges.flatMap((change): [string, Edits][] =>
    'edits' in change ? [[change.textDocument.uri, change.edits as Edits]] : [],
  )
  return [...Object.entries(changes), ...versioned]
}

/** The messages of the server are objects, those of the client are texts. */
function transportOf(worker: Worker): Transport {
  const listeners = new Map<(message: string) => void, (event: MessageEvent) => void>()
  return {
    send: (message) => worker.postMessage(JSON.parse(message)),
    subscribe: (handler) => {
      const listener = ({ data }: MessageEvent): void => handler(JSON.stringify(data))
      listeners.set(handler, listener)
      worker.addEventListener('message', listener)
    },
    unsubscribe: (handler) => {
      const listener = listeners.get(handler)
      if (listener !== undefined) worker.removeEventListener('message', listener)
    },
  }
}
