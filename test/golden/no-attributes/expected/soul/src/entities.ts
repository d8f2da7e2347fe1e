/** A stored Soul. */
export interface Soul {
  id: string
}

/** What a client sends to create or update a Soul. */
export type SoulRequest = Record<string, never>

/** What a create stores. */
export interface CreateSoul {
  readonly id: string
}

/** What an update stores. */
export interface UpdateSoul {
  id: string
}
