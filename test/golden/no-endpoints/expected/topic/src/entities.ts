/**
 * A stored Topic.
 *
 * Entries refer to it.
 */
export interface Topic {
  id: string
  title: string
}

/** What a create stores. */
export interface CreateTopic {
  readonly id: string
  title: string
}

/** What an update stores. */
export interface UpdateTopic {
  id: string
  title: string
}
