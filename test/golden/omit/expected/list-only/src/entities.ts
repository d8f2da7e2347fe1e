/** A stored ListOnly. */
export interface ListOnly {
  id: string
  text: string
}

/** What a create stores. */
export interface CreateListOnly {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateListOnly {
  id: string
  text: string
}

/** A stored Ghost. */
export interface Ghost {
  id: string
  parentId: string
  text: string
}

/** What a create stores. */
export interface CreateGhost {
  readonly id: string
  parentId: string
  text: string
}

/** What an update stores. */
export interface UpdateGhost {
  id: string
  parentId: string
  text: string
}
