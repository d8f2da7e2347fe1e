/** A stored Object. */
export interface Object_ {
  id: string
  value: string
}

/** What a client sends to create or update a Object. */
export interface ObjectRequest {
  value: string
}

/** What a create stores. */
export interface CreateObject {
  readonly id: string
  value: string
}

/** What an update stores. */
export interface UpdateObject {
  id: string
  value: string
}
