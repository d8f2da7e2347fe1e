/** A stored Product. */
export interface Product {
  id: string
  title: string
  shelf: number
  price: number
}

/** What a client sends to create or update a Product. */
export interface ProductRequest {
  title: string
  shelf: number
  price: number
}

/** What a create stores. */
export interface CreateProduct {
  readonly id: string
  title: string
  shelf: number
  price: number
}

/** What an update stores. */
export interface UpdateProduct {
  id: string
  title: string
  shelf: number
  price: number
}

/** A stored Review. */
export interface Review {
  id: string
  parentId: string
  stars: number
  text: string
}

/** What a client sends to create or update a Review. */
export interface ReviewRequest {
  stars: number
  text: string
}

/** What a create stores. */
export interface CreateReview {
  readonly id: string
  parentId: string
  stars: number
  text: string
}

/** What an update stores. */
export interface UpdateReview {
  id: string
  parentId: string
  stars: number
  text: string
}
