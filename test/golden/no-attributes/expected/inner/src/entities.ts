/** A stored Inner. */
export interface Inner {
  id: string
  count: number
  seen: string
}

/** What a client sends to create or update a Inner. */
export type InnerRequest = Record<string, never>

/** What a create stores. */
export interface CreateInner {
  readonly id: string
  count: number
  seen: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateInner {
  id: string
  count: number | undefined
  seen: string | undefined
}

/** A stored Empty. */
export interface Empty {
  id: string
  parentId: string
}

/** What a client sends to create or update a Empty. */
export type EmptyRequest = Record<string, never>

/** What a create stores. */
export interface CreateEmpty {
  readonly id: string
  parentId: string
}

/** What an update stores. */
export interface UpdateEmpty {
  id: string
  parentId: string
}
