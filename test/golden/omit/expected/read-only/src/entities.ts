/** A stored ReadOnly. */
export interface ReadOnly {
  id: string
  text: string
}

/** What a create stores. */
export interface CreateReadOnly {
  readonly id: string
  text: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateReadOnly {
  id: string
  text: string | undefined
}
