/** A stored Poster. */
export interface Poster {
  id: string
  text: string
}

/** What a client sends to create or update a Poster. */
export interface PosterRequest {
  text: string
}

/** What a create stores. */
export interface CreatePoster {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdatePoster {
  id: string
  text: string
}

/** A stored Stamp. */
export interface Stamp {
  id: string
  parentId: string
  place: string
}

/** What a client sends to create or update a Stamp. */
export interface StampRequest {
  place: string
}

/** What a create stores. */
export interface CreateStamp {
  readonly id: string
  parentId: string
  place: string
}

/** What an update stores. */
export interface UpdateStamp {
  id: string
  parentId: string
  place: string
}
