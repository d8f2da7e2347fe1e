/** A stored Traveller. */
export interface Traveller {
  id: string
  name: string
}

/** What a client sends to create or update a Traveller. */
export interface TravellerRequest {
  name: string
}

/** What a create stores. */
export interface CreateTraveller {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateTraveller {
  id: string
  name: string
}
