/** A stored Speech. */
export interface Speech {
  id: string
  /** Ends like a comment in TypeScript: * / and in SQL: -- and in HTML: --> */
  text: string
}

/** What a client sends to create or update a Speech. */
export interface SpeechRequest {
  /** Ends like a comment in TypeScript: * / and in SQL: -- and in HTML: --> */
  text: string
}

/** What a create stores. */
export interface CreateSpeech {
  readonly id: string
  /** Ends like a comment in TypeScript: * / and in SQL: -- and in HTML: --> */
  text: string
}

/** What an update stores. */
export interface UpdateSpeech {
  id: string
  /** Ends like a comment in TypeScript: * / and in SQL: -- and in HTML: --> */
  text: string
}

/**
 * A stored Applause.
 *
 * A struct with documentation.
 */
export interface Applause {
  id: string
  parentId: string
  /** How loud, in decibels. */
  loudness: number
}

/** What a client sends to create or update a Applause. */
export interface ApplauseRequest {
  /** How loud, in decibels. */
  loudness: number
}

/** What a create stores. */
export interface CreateApplause {
  readonly id: string
  parentId: string
  /** How loud, in decibels. */
  loudness: number
}

/** What an update stores. */
export interface UpdateApplause {
  id: string
  parentId: string
  /** How loud, in decibels. */
  loudness: number
}
