/** A stored Report. */
export interface Report {
  id: string
  text: string
}

/** What a client sends to create or update a Report. */
export type ReportRequest = Record<string, never>

/** What a create stores. */
export interface CreateReport {
  readonly id: string
  text: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateReport {
  id: string
  text: string | undefined
}
