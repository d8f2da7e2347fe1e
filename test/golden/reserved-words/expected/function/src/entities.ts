/** A stored Function. */
export interface Function {
  id: string
  name: string
  arguments: string
}

/** What a client sends to create or update a Function. */
export interface FunctionRequest {
  name: string
  arguments: string
}

/** What a create stores. */
export interface CreateFunction {
  readonly id: string
  name: string
  arguments: string
}

/** What an update stores. */
export interface UpdateFunction {
  id: string
  name: string
  arguments: string
}
