/** A stored Date. */
export interface Date_ {
  id: string
  now: string
}

/** What a client sends to create or update a Date. */
export interface DateRequest {
  now: string
}

/** What a create stores. */
export interface CreateDate {
  readonly id: string
  now: string
}

/** What an update stores. */
export interface UpdateDate {
  id: string
  now: string
}
