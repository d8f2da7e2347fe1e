/** A stored Keeper. */
export interface Keeper {
  id: string
  name: string
}

/** What a client sends to create or update a Keeper. */
export interface KeeperRequest {
  name: string
}

/** What a create stores. */
export interface CreateKeeper {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateKeeper {
  id: string
  name: string
}
