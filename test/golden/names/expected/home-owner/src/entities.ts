/** A stored HomeOwner. */
export interface HomeOwner {
  id: string
  home: string
}

/** What a client sends to create or update a HomeOwner. */
export interface HomeOwnerRequest {
  home: string
}

/** What a create stores. */
export interface CreateHomeOwner {
  readonly id: string
  home: string
}

/** What an update stores. */
export interface UpdateHomeOwner {
  id: string
  home: string
}
