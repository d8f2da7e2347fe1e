/** A stored Sample. */
export interface Sample {
  id: string
  station: string
  celsius: number
}

/** What a client sends to create or update a Sample. */
export interface SampleRequest {
  station: string
  celsius: number
}

/** What a create stores. */
export interface CreateSample {
  readonly id: string
  station: string
  celsius: number
}

/** What an update stores. */
export interface UpdateSample {
  id: string
  station: string
  celsius: number
}
