/** A stored User. */
export interface User {
  id: string
  order: string
}

/** What a client sends to create or update a User. */
export interface UserRequest {
  order: string
}

/** What a create stores. */
export interface CreateUser {
  readonly id: string
  order: string
}

/** What an update stores. */
export interface UpdateUser {
  id: string
  order: string
}
