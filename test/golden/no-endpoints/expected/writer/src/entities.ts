/** A stored Writer. */
export interface Writer {
  id: string
  name: string
}

/** What a client sends to create or update a Writer. */
export interface WriterRequest {
  name: string
}

/** What a create stores. */
export interface CreateWriter {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateWriter {
  id: string
  name: string
}
