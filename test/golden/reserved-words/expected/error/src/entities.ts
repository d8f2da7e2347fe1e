/** A stored Error. */
export interface Error_ {
  id: string
  message: string
  stack: string
}

/** What a client sends to create or update a Error. */
export interface ErrorRequest {
  message: string
  stack: string
}

/** What a create stores. */
export interface CreateError {
  readonly id: string
  message: string
  stack: string
}

/** What an update stores. */
export interface UpdateError {
  id: string
  message: string
  stack: string
}
