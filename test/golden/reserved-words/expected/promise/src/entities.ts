/** A stored Promise. */
export interface Promise_ {
  id: string
  object: string
  date: string
}

/** What a client sends to create or update a Promise. */
export interface PromiseRequest {
  object: string
  date: string
}

/** What a create stores. */
export interface CreatePromise {
  readonly id: string
  object: string
  date: string
}

/** What an update stores. */
export interface UpdatePromise {
  id: string
  object: string
  date: string
}
