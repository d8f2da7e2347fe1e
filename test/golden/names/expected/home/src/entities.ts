/** A stored Home. */
export interface Home {
  id: string
  rooms: number
}

/** What a client sends to create or update a Home. */
export interface HomeRequest {
  rooms: number
}

/** What a create stores. */
export interface CreateHome {
  readonly id: string
  rooms: number
}

/** What an update stores. */
export interface UpdateHome {
  id: string
  rooms: number
}
