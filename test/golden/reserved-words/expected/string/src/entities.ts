/** A stored String. */
export interface String_ {
  id: string
  length: number
}

/** What a client sends to create or update a String. */
export interface StringRequest {
  length: number
}

/** What a create stores. */
export interface CreateString {
  readonly id: string
  length: number
}

/** What an update stores. */
export interface UpdateString {
  id: string
  length: number
}

/** A stored Map. */
export interface Map_ {
  id: string
  parentId: string
  key: string
}

/** What a client sends to create or update a Map. */
export interface MapRequest {
  key: string
}

/** What a create stores. */
export interface CreateMap {
  readonly id: string
  parentId: string
  key: string
}

/** What an update stores. */
export interface UpdateMap {
  id: string
  parentId: string
  key: string
}
