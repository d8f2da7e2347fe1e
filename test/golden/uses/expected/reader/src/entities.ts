/** A stored Reader. */
export interface Reader {
  id: string
  name: string
}

/** What a client sends to create or update a Reader. */
export interface ReaderRequest {
  name: string
}

/** What a create stores. */
export interface CreateReader {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateReader {
  id: string
  name: string
}
