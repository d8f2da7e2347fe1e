/** A stored Drawer. */
export interface Drawer {
  id: string
  text: string
}

/** What a client sends to create or update a Drawer. */
export interface DrawerRequest {
  text: string
}

/** What a create stores. */
export interface CreateDrawer {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateDrawer {
  id: string
  text: string
}

/** A stored Paper. */
export interface Paper {
  id: string
  parentId: string
  text: string
}

/** What a client sends to create or update a Paper. */
export interface PaperRequest {
  text: string
}

/** What a create stores. */
export interface CreatePaper {
  readonly id: string
  parentId: string
  text: string
}

/** What an update stores. */
export interface UpdatePaper {
  id: string
  parentId: string
  text: string
}
