/** A stored Purchase. */
export interface Purchase {
  id: string
  product: string
  when: string
}

/** What a client sends to create or update a Purchase. */
export interface PurchaseRequest {
  product: string
  when: string
}

/** What a create stores. */
export interface CreatePurchase {
  readonly id: string
  product: string
  when: string
}

/** What an update stores. */
export interface UpdatePurchase {
  id: string
  product: string
  when: string
}
