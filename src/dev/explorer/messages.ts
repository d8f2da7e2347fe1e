import type { Health } from '../events.ts'

/** An entry in the live log of the explorer. */
export type LogEntry = RequestEntry | TextEntry

interface EntryBase {
  /** Increases with each entry, and is unique in one run. */
  readonly id: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** The directory of the service that it concerns, if any. */
  readonly service: string | undefined
}

/** A request that the gateway answered. */
export interface RequestEntry extends EntryBase {
  readonly kind: 'request'
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** 0 if the client closed the connection first. */
  readonly status: number
  readonly milliseconds: number
}

/** A log message of a service or of the platform. */
export interface TextEntry extends EntryBase {
  readonly kind: 'text'
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly text: string
}

/** The data of one server-sent event. */
export interface Message {
  /** The entries since the last message. In the first message, recent entries. */
  readonly entries: readonly LogEntry[]
  /** The health of services by directory, if it changed. In the first message, of all services. */
  readonly health: Readonly<Record<string, Health>>
  /** Increases when the platform changes: the page then shows the new one. */
  readonly version: number
  /** Increases when the platform or the code of a service changes: the page then loads the description again. */
  readonly revision: number
}
