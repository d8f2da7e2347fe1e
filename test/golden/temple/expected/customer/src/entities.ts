/** A stored Customer. */
export interface Customer {
  id: string
  name: string
  loyalty: number
}

/** What a client sends to create or update a Customer. */
export interface CustomerRequest {
  name: string
}

/** What a create stores. */
export interface CreateCustomer {
  readonly id: string
  name: string
  loyalty: number
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateCustomer {
  id: string
  name: string
  loyalty: number | undefined
}
