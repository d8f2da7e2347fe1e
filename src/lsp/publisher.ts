import type { Connection } from 'vscode-languageserver'
import type { Definitions } from './definitions.ts'
import { isAsked } from './freshness.ts'
import type { DefinitionSnapshot } from './snapshot.ts'

/** A stream of messages without a pause does not keep diagnostics back for longer than this, in milliseconds. */
const LONGEST_WAIT = 100

/**
 * Editors ask for completion right behind a keystroke. A check that has begun cannot be put off, so it begins when
 * this long, in milliseconds, has brought nothing.
 */
const QUIET = 5

/** Sends the diagnostics of open definitions when there is no newer text to be taken in and nothing asked. */
export class Publisher {
  readonly #connection: Connection
  readonly #definitions: Definitions
  /** The newest state of each definition that has changed since its diagnostics were sent. */
  readonly #due = new Map<string, DefinitionSnapshot>()
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined

  constructor(connection: Connection, definitions: Definitions) {
    this.#connection = connection
    this.#definitions = definitions
  }

  /** A definition has another text. */
  changed(snapshot: DefinitionSnapshot): void {
    if (this.#due.size === 0) this.#since = performance.now()
    // The one that was changed last is looked at.
    this.#due.delete(snapshot.textDocument.uri)
    this.#due.set(snapshot.textDocument.uri, snapshot)
    clearTimeout(this.#timer)
    clearImmediate(this.#turn)
    if (this.#isOverdue()) this.#publish()
    else this.#soon()
  }

  /** A definition is open no longer: its diagnostics go away. */
  closed(uri: string): void {
    this.#due.delete(uri)
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
  }

  /** Sends nothing more: the editor shuts the server down. */
  stop(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#turn)
    this.#due.clear()
  }

  #soon(): void {
    this.#timer = setTimeout(() => {
      // Behind what has arrived meanwhile.
      this.#turn = setImmediate(() => {
        if (isAsked(this.#definitions) && !this.#isOverdue()) this.#soon()
        else this.#publish()
      })
    }, QUIET)
  }

  #isOverdue(): boolean {
    return performance.now() - this.#since > LONGEST_WAIT
  }

  /** One definition in a turn, so that messages are taken in between. */
  #publish(): void {
    const snapshot = [...this.#due.values()].at(-1)
    if (snapshot === undefined) return
    const { uri, version } = snapshot.textDocument
    this.#due.delete(uri)
    void this.#connection.sendDiagnostics({ uri, version, diagnostics: snapshot.diagnostics })
    this.#since = performance.now()
    if (this.#due.size > 0) this.#soon()
  }
}
