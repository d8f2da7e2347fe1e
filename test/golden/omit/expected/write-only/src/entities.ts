/** A stored WriteOnly. */
export interface WriteOnly {
  id: string
  text: string
}

/** What a client sends to create or update a WriteOnly. */
export interface WriteOnlyRequest {
  text: string
}

/** What a create stores. */
export interface CreateWriteOnly {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateWriteOnly {
  id: string
  text: string
}
