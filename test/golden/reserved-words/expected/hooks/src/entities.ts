/** A stored Hooks. */
export interface Hooks_ {
  id: string
  config: string
}

/** What a client sends to create or update a Hooks. */
export interface HooksRequest {
  config: string
}

/** What a create stores. */
export interface CreateHooks {
  readonly id: string
  config: string
}

/** What an update stores. */
export interface UpdateHooks {
  id: string
  config: string
}

/** A stored Log. */
export interface Log_ {
  id: string
  parentId: string
  text: string
}

/** What a client sends to create or update a Log. */
export interface LogRequest {
  text: string
}

/** What a create stores. */
export interface CreateLog {
  readonly id: string
  parentId: string
  text: string
}

/** What an update stores. */
export interface UpdateLog {
  id: string
  parentId: string
  text: string
}
