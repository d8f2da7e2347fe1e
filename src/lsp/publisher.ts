import type { Connection, Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver'
import type { TextDocuments } from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'

/** New problems are shown when typing has paused for this long, in milliseconds. */
const DEFAULT_DELAY = 300
/** The same for problems on the line that is being typed, which is unfinished more often than not. */
const DEFAULT_LINE_DELAY = 1000

/** The diagnostics of a file that are published or, for a client that pulls them, current. */
interface Shown {
  /** When it was last edited, in milliseconds; `undefined` if it was not edited since it was opened. */
  editedAt: number | undefined
  /** The line of the last edit, from 0; `undefined` if the whole text was replaced, or another file was edited. */
  editedLine: number | undefined
  diagnostics: readonly Diagnostic[]
  /** What the client has pulled. */
  pulled: readonly Diagnostic[]
  /** The version of the text that they were last computed for. */
  version: number | undefined
  timer: NodeJS.Timeout | undefined
}

/** The diagnostics of a file that are shown now. */
interface Visible {
  readonly diagnostics: readonly Diagnostic[]
  /** Milliseconds until others are shown; infinite if there are none. */
  readonly wait: number
}

/**
 * Publishes diagnostics without flicker while the user types: a fixed problem disappears immediately, and a new one
 * appears after a pause, because the next keystrokes complete most incomplete declarations. On the line that is being
 * typed, the pause is longer.
 */
export class DiagnosticsPublisher {
  readonly #connection: Connection
  readonly #documents: Pick<TextDocuments<TextDocument>, 'get'>
  readonly #shown = new Map<string, Shown>()
  #refreshTimer: NodeJS.Timeout | undefined
  /** The editor pulls the diagnostics of open files. */
  isPulled = false
  /** The editor can be asked to pull them again. */
  canRefresh = false
  /** How long typing has to pause before new problems are shown, in milliseconds. */
  delay = DEFAULT_DELAY
  /** The same for problems on the line that was edited. */
  lineDelay = DEFAULT_LINE_DELAY

  /** The URIs of the files in the definitions of a file. */
  companionsOf: (uri: string) => Iterable<string> = () => []

  constructor(connection: Connection, documents: Pick<TextDocuments<TextDocument>, 'get'>) {
    this.#connection = connection
    this.#documents = documents
  }

  /** The text of a file was edited, on which the diagnostics of the other files of its definitions depend. */
  edited(uri: string, line?: number): void {
    const now = performance.now()
    for (const one of [uri, ...this.companionsOf(uri)]) {
      const shown = this.#of(one)
      shown.editedAt = now
      shown.editedLine = one === uri ? line : undefined
    }
  }

  /** A file was opened: its problems are not caused by typing. */
  opened(uri: string): void {
    this.#of(uri).editedAt = undefined
    if (this.isPulled) void this.#send(uri, [], undefined)
  }

  /** Milliseconds until typing in a file counts as paused; 0 if it already does. */
  pauseIn(uri: string): number {
    return this.#left(uri, this.delay)
  }

  #left(uri: string, delay: number): number {
    const { editedAt } = this.#of(uri)
    return editedAt === undefined ? 0 : Math.max(0, editedAt + delay - performance.now())
  }

  /** `before`: what is shown already. */
  #visible(uri: string, diagnostics: readonly Diagnostic[], before: readonly Diagnostic[]): Visible {
    const { editedLine = -1 } = this.#of(uri)
    const known = new Set(before.map(identityOf))
    const waits = diagnostics.map((diagnostic) => {
      if (known.has(identityOf(diagnostic))) return 0
      const { start, end } = diagnostic.range
      const isOnLine = start.line <= editedLine && editedLine <= end.line
      return this.#left(uri, isOnLine ? this.lineDelay : this.delay)
    })
    return {
      diagnostics: diagnostics.filter((_, index) => waits[index] === 0),
      wait: Math.min(...waits.filter((wait) => wait > 0), Infinity),
    }
  }

  /** The diagnostics that a client pulls. Others are pulled later, if the client can be asked to. */
  async pulled(
    uri: string,
    diagnosticsOf: () => Promise<readonly Diagnostic[]>,
  ): Promise<readonly Diagnostic[]> {
    const diagnostics = await diagnosticsOf()
    const shown = this.#of(uri)
    const visible = this.#visible(uri, diagnostics, shown.pulled)
    if (visible.wait < Infinity && !this.canRefresh) {
      await new Promise((resolve) => setTimeout(resolve, visible.wait))
      return this.pulled(uri, diagnosticsOf)
    }
    if (visible.wait < Infinity) this.#refresh(visible.wait)
    shown.pulled = visible.diagnostics
    return visible.diagnostics
  }

  /** Publishes the diagnostics of a file, the new ones after a pause. */
  async publish({ uri, diagnostics }: PublishDiagnosticsParams): Promise<void> {
    const shown = this.#of(uri)
    clearTimeout(shown.timer)
    const document = this.#documents.get(uri)
    if (document === undefined) {
      this.#shown.delete(uri)
      if (diagnostics.length > 0 || shown.diagnostics.length > 0)
        await this.#send(uri, diagnostics, undefined)
      if (diagnostics.length > 0) this.#of(uri).diagnostics = diagnostics
      return
    }
    if (this.isPulled) {
      // The editor pulls by itself when it opens or edits the file.
      const isSame = JSON.stringify(diagnostics) === JSON.stringify(shown.diagnostics)
      if (!isSame && document.version === shown.version) this.#refresh(this.pauseIn(uri))
      shown.diagnostics = diagnostics
      shown.version = document.version
      return
    }
    const visible = this.#visible(uri, diagnostics, shown.diagnostics)
    if (visible.wait === Infinity) {
      shown.diagnostics = diagnostics
      await this.#send(uri, diagnostics, document.version)
      return
    }
    shown.timer = setTimeout(() => void this.publish({ uri, diagnostics }), visible.wait)
    if (visible.diagnostics.map(identityOf).join('\n') === shown.diagnostics.map(identityOf).join('\n'))
      return
    shown.diagnostics = visible.diagnostics
    // No version: these are not all of them.
    await this.#send(uri, visible.diagnostics, undefined)
  }

  /** Stops publishing. */
  stop(): void {
    for (const timer of [this.#refreshTimer, ...[...this.#shown.values()].map((shown) => shown.timer)])
      clearTimeout(timer)
    this.#shown.clear()
  }

  /** Has the editor pull again, once for all files. */
  #refresh(wait: number): void {
    clearTimeout(this.#refreshTimer)
    if (!this.canRefresh) return
    this.#refreshTimer = setTimeout(() => void this.#connection.languages.diagnostics.refresh(), wait)
  }

  #send(uri: string, diagnostics: readonly Diagnostic[], version: number | undefined): Promise<void> {
    return this.#connection.sendDiagnostics({
      uri,
      diagnostics: [...diagnostics],
      ...(version === undefined ? {} : { version }),
    })
  }

  #of(uri: string): Shown {
    let shown = this.#shown.get(uri)
    if (shown === undefined)
      this.#shown.set(
        uri,
        (shown = {
          editedAt: undefined,
          editedLine: undefined,
          diagnostics: [],
          pulled: [],
          version: undefined,
          timer: undefined,
        }),
      )
    return shown
  }
}

/** The part of a diagnostic that does not change when the text around it moves. */
function identityOf({ code, message }: Diagnostic): string {
  return `${String(code)} ${typeof message === 'string' ? message : message.value}`
}
