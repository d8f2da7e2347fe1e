/**
 * A stored Speaker.
 *
 * The first line.
 * The second line, with <html> & "quotes".
 *
 * A new paragraph; umlauts äöü, 漢字 and an emoji 🏠.
 */
export interface Speaker {
  id: string
  /** What the speaker is called. */
  name: string
  /** On one line. */
  voice: string
}

/** What a client sends to create or update a Speaker. */
export interface SpeakerRequest {
  /** What the speaker is called. */
  name: string
  /** On one line. */
  voice: string
}

/** What a create stores. */
export interface CreateSpeaker {
  readonly id: string
  /** What the speaker is called. */
  name: string
  /** On one line. */
  voice: string
}

/** What an update stores. */
export interface UpdateSpeaker {
  id: string
  /** What the speaker is called. */
  name: string
  /** On one line. */
  voice: string
}
