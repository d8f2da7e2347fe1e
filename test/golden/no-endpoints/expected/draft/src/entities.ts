/**
 * A stored Draft.
 *
 * Nobody calls it, nothing refers to it.
 */
export interface Draft {
  id: string
  text: string
}

/** What a create stores. */
export interface CreateDraft {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateDraft {
  id: string
  text: string
}

/** A stored Note. */
export interface Note {
  id: string
  parentId: string
  text: string
}

/** What a create stores. */
export interface CreateNote {
  readonly id: string
  parentId: string
  text: string
}

/** What an update stores. */
export interface UpdateNote {
  id: string
  parentId: string
  text: string
}
