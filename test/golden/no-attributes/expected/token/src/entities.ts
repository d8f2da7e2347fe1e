/** A stored Token. */
export interface Token {
  id: string
}

/** What a client sends to create or update a Token. */
export type TokenRequest = Record<string, never>

/** What a create stores. */
export interface CreateToken {
  readonly id: string
}

/** What an update stores. */
export interface UpdateToken {
  id: string
}
