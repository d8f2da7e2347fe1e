/** A stored City. */
export interface City {
  id: string
  name: string
}

/** What a client sends to create or update a City. */
export interface CityRequest {
  name: string
}

/** What a create stores. */
export interface CreateCity {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateCity {
  id: string
  name: string
}
