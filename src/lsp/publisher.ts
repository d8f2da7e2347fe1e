import type { Connection } from 'vscode-languageserver'
import type { DefinitionSnapshot } from './snapshot.ts'

/** A stream of messages without a pause does not keep diagnostics back for longer than this, in milliseconds. */
const LONGEST_WAIT = 100

/**
 * Sends the diagnostics of open definitions as soon as there is no newer text to be taken in first. There is no
 * delay: a check begins when two turns of the event loop have brought no further change.
 */
export class Publisher {
  readonly #connection: Connection
  /** The newest state of each definition that has changed since its diagnostics were sent. */
  readonly #due = new Map<string, DefinitionSnapshot>()
  #since = 0
  #turn: NodeJS.Immediate | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** A definition has another text. */
  changed(snapshot: DefinitionSnapshot): void {
    if (this.#due.size === 0) this.#since = performance.now()
    this.#due.set(snapshot.textDocument.uri, snapshot)
    clearImmediate(this.#turn)
    if (performance.now() - this.#since > LONGEST_WAIT) this.#publish()
    // Behind the message that the connection has at hand, and behind the one that came with it.
    else
      this.#turn = setImmediate(() => {
        this.#turn = setImmediate(() => this.#publish())
      })
  }

  /** A definition is open no longer: its diagnostics go away. */
  closed(uri: string): void {
    this.#due.delete(uri)
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
  }

  #publish(): void {
    const due = [...this.#due.values()]
    this.#due.clear()
    for (const snapshot of due) {
      const { uri, version } = snapshot.textDocument
      void this.#connection.sendDiagnostics({ uri, version, diagnostics: snapshot.diagnostics })
    }
  }
}
