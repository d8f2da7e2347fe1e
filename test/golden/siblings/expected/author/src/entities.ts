/** A stored Author. */
export interface Author {
  id: string
}

/** What a client sends to create or update a Author. */
export type AuthorRequest = Record<string, never>

/** What a create stores. */
export interface CreateAuthor {
  readonly id: string
}

/** What an update stores. */
export interface UpdateAuthor {
  id: string
}
