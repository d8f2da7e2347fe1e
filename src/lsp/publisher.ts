import { isDeepStrictEqual } from 'node:util'
import type { Connection, Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver'
import type { TextDocuments } from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'

/** New problems are shown when typing has paused for this long, in milliseconds. */
export const DEFAULT_DELAY = 300

/** The diagnostics of a file that are published or, for a client that pulls them, current. */
interface Shown {
  /** When it was last edited, in milliseconds; `undefined` if it was not edited since it was opened. */
  editedAt: number | undefined
  diagnostics: readonly Diagnostic[]
  /** The version of the text that they were last computed for. */
  version: number | undefined
  timer: NodeJS.Timeout | undefined
}

/**
 * Publishes diagnostics without flicker while the user types: a fixed problem disappears immediately, and a new one
 * appears after a pause, because the next keystrokes complete most incomplete declarations.
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

  /** The URIs of the files in the definitions of a file. */
  companionsOf: (uri: string) => Iterable<string> = () => []

  constructor(connection: Connection, documents: Pick<TextDocuments<TextDocument>, 'get'>) {
    this.#connection = connection
    this.#documents = documents
  }

  /** The text of a file was edited, on which the diagnostics of the other files of its definitions depend. */
  edited(uri: string): void {
    const now = performance.now()
    for (const one of [uri, ...this.companionsOf(uri)]) this.#of(one).editedAt = now
  }

  /** A file was opened: its problems are not caused by typing. */
  opened(uri: string): void {
    this.#of(uri).editedAt = undefined
    if (this.isPulled) void this.#send(uri, [], undefined)
  }

  /** Milliseconds until typing in a file counts as paused; 0 if it already does. */
  pauseIn(uri: string): number {
    const { editedAt } = this.#of(uri)
    return editedAt === undefined ? 0 : Math.max(0, editedAt + this.delay - performance.now())
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
    const wait = this.pauseIn(uri)
    if (this.isPulled) {
      // The editor pulls by itself when it opens or edits the file.
      const isSame = isDeepStrictEqual(diagnostics, shown.diagnostics)
      if (!isSame && document.version === shown.version) this.#refresh(wait)
      shown.diagnostics = diagnostics
      shown.version = document.version
      return
    }
    const known = new Set(shown.diagnostics.map(identityOf))
    const isNothingNew = diagnostics.every((diagnostic) => known.has(identityOf(diagnostic)))
    if (wait === 0 || isNothingNew) {
      shown.diagnostics = diagnostics
      await this.#send(uri, diagnostics, document.version)
      return
    }
    shown.timer = setTimeout(() => void this.publish({ uri, diagnostics }), wait)
    const left = diagnostics.filter((diagnostic) => known.has(identityOf(diagnostic)))
    if (left.length === shown.diagnostics.length) return
    shown.diagnostics = left
    // No version: these are not all of them.
    await this.#send(uri, left, undefined)
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
        (shown = { editedAt: undefined, diagnostics: [], version: undefined, timer: undefined }),
      )
    return shown
  }
}

/** The part of a diagnostic that does not change when the text around it moves. */
function identityOf({ code, message }: Diagnostic): string {
  return `${String(code)} ${typeof message === 'string' ? message : message.value}`
}
