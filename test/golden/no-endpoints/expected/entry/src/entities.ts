/** A stored Entry. */
export interface Entry {
  id: string
  topic: string
  text: string
}

/** What a client sends to create or update a Entry. */
export interface EntryRequest {
  topic: string
  text: string
}

/** What a create stores. */
export interface CreateEntry {
  readonly id: string
  topic: string
  text: string
}

/** What an update stores. */
export interface UpdateEntry {
  id: string
  topic: string
  text: string
}
