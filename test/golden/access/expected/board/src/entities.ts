/** A stored Board. */
export interface Board {
  id: string
  text: string
}

/** What a client sends to create or update a Board. */
export interface BoardRequest {
  text: string
}

/** What a create stores. */
export interface CreateBoard {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateBoard {
  id: string
  text: string
}

/** A stored Pin. */
export interface Pin {
  id: string
  parentId: string
  colour: string
}

/** What a client sends to create or update a Pin. */
export interface PinRequest {
  colour: string
}

/** What a create stores. */
export interface CreatePin {
  readonly id: string
  parentId: string
  colour: string
}

/** What an update stores. */
export interface UpdatePin {
  id: string
  parentId: string
  colour: string
}
