/** A stored Entry. */
export interface Entry {
  id: string
  written: string
  text: string
}

/** What a client sends to create or update a Entry. */
export interface EntryRequest {
  written: string
  text: string
}

/** What a create stores. */
export interface CreateEntry {
  readonly id: string
  written: string
  text: string
}

/** What an update stores. */
export interface UpdateEntry {
  id: string
  written: string
  text: string
}
