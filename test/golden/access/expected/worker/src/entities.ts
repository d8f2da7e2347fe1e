/** A stored Worker. */
export interface Worker {
  id: string
  name: string
}

/** What a client sends to create or update a Worker. */
export interface WorkerRequest {
  name: string
}

/** What a create stores. */
export interface CreateWorker {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateWorker {
  id: string
  name: string
}
