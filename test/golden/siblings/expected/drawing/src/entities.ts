/** A stored Drawing. */
export interface Drawing {
  id: string
  title: string
}

/** What a client sends to create or update a Drawing. */
export interface DrawingRequest {
  title: string
}

/** What a create stores. */
export interface CreateDrawing {
  readonly id: string
  title: string
}

/** What an update stores. */
export interface UpdateDrawing {
  id: string
  title: string
}

/** A stored Node. */
export interface Node {
  id: string
  parentId: string
  label: string
}

/** What a client sends to create or update a Node. */
export interface NodeRequest {
  label: string
}

/** What a create stores. */
export interface CreateNode {
  readonly id: string
  parentId: string
  label: string
}

/** What an update stores. */
export interface UpdateNode {
  id: string
  parentId: string
  label: string
}

/** A stored Edge. */
export interface Edge {
  id: string
  parentId: string
  from: string
  to: string
  weight: number
}

/** What a client sends to create or update a Edge. */
export interface EdgeRequest {
  from: string
  to: string
  weight: number
}

/** What a create stores. */
export interface CreateEdge {
  readonly id: string
  parentId: string
  from: string
  to: string
  weight: number
}

/** What an update stores. */
export interface UpdateEdge {
  id: string
  parentId: string
  from: string
  to: string
  weight: number
}

/** A stored Note. */
export interface Note {
  id: string
  parentId: string
  about: string
  node: string
  text: string
}

/** What a client sends to create or update a Note. */
export interface NoteRequest {
  about: string
  text: string
}

/** What a create stores. */
export interface CreateNote {
  readonly id: string
  parentId: string
  about: string
  node: string
  text: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateNote {
  id: string
  parentId: string
  about: string
  text: string
  node: string | undefined
}
