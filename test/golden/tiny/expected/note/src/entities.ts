/** A stored Note. */
export interface Note {
  id: string
  text: string
}

/** What a client sends to create or update a Note. */
export interface NoteRequest {
  text: string
}

/** What a create stores. */
export interface CreateNote {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateNote {
  id: string
  text: string
}
