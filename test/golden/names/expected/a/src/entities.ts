/** A stored A. */
export interface A {
  id: string
  b: string
}

/** What a client sends to create or update a A. */
export interface ARequest {
  b: string
}

/** What a create stores. */
export interface CreateA {
  readonly id: string
  b: string
}

/** What an update stores. */
export interface UpdateA {
  id: string
  b: string
}
