/** A stored B. */
export interface B {
  id: string
  proxy: string
}

/** What a client sends to create or update a B. */
export interface BRequest {
  proxy: string
}

/** What a create stores. */
export interface CreateB {
  readonly id: string
  proxy: string
}

/** What an update stores. */
export interface UpdateB {
  id: string
  proxy: string
}
