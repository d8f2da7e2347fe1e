/** A stored Person. */
export interface Person {
  id: string
  name: string
}

/** What a client sends to create or update a Person. */
export interface PersonRequest {
  name: string
}

/** What a create stores. */
export interface CreatePerson {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdatePerson {
  id: string
  name: string
}
