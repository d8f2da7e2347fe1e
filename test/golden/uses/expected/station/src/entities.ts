/** A stored Station. */
export interface Station {
  id: string
  place: string
}

/** What a client sends to create or update a Station. */
export interface StationRequest {
  place: string
}

/** What a create stores. */
export interface CreateStation {
  readonly id: string
  place: string
}

/** What an update stores. */
export interface UpdateStation {
  id: string
  place: string
}
