import type { Health } from '../events.ts'

/** Something that the explorer's page lists as it happens. */
export type Entry = RequestEntry | TextEntry

interface EntryBase {
  /** Counts up; no two entries of one run have the same. */
  readonly id: number
  /** In ms since 1970. */
  readonly time: number
  /** Directory of the service that it is about, if it is about one. */
  readonly service: string | undefined
}

/** A request that the gateway answered. */
export interface RequestEntry extends EntryBase {
  readonly kind: 'request'
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** 0 when the client went away. */
  readonly status: number
  readonly milliseconds: number
}

/** What a service, or the platform itself, had to say. */
export interface TextEntry extends EntryBase {
  readonly kind: 'text'
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly text: string
}

/** What one server-sent event holds; which parts, depends on what happened. */
export interface Message {
  /** Entries since the last message; in the first message those of before. */
  readonly entries: readonly Entry[]
  /** How services are, by directory, those alone that changed; in the first message all that are known. */
  readonly health: Readonly<Record<string, Health>>
  /** Changes with the platform: whoever has seen another one has to read the description again. */
  readonly version: number
}
