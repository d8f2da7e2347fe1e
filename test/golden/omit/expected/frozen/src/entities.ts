/** A stored Frozen. */
export interface Frozen {
  id: string
  text: string
}

/** What a client sends to create or update a Frozen. */
export interface FrozenRequest {
  text: string
}

/** What a create stores. */
export interface CreateFrozen {
  readonly id: string
  text: string
}

/** What an update stores. */
export interface UpdateFrozen {
  id: string
  text: string
}

/** A stored Log. */
export interface Log_ {
  id: string
  parentId: string
  line: string
}

/** What a client sends to create or update a Log. */
export interface LogRequest {
  line: string
}

/** What a create stores. */
export interface CreateLog {
  readonly id: string
  parentId: string
  line: string
}

/** What an update stores. */
export interface UpdateLog {
  id: string
  parentId: string
  line: string
}
