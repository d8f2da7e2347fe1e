import { z } from 'zod'
import { integer, real, text } from '#lib/values.ts'
import type { product, review } from './schema.ts'

/** What a client sends to create or update a Product. */
export const ProductRequest = z.object({
  title: text({ min: 1, max: 200 }),
  shelf: integer({ min: 1, max: 100 }),
  price: real({ min: 0 }),
})
export type ProductRequest = z.infer<typeof ProductRequest>

/** A stored Product. */
export type Product = Omit<typeof product.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateProduct = { readonly id: string } & Omit<Product, 'id'>

/** What an update stores. */
export type UpdateProduct = Product

/** What clients see of a Product. */
export const publicProduct = (product: Product) => ({
  id: product.id,
  title: product.title,
  shelf: product.shelf,
  price: product.price,
})
export type PublicProduct = ReturnType<typeof publicProduct>

/** What a client sends to create or update a Review. */
export const ReviewRequest = z.object({
  stars: integer({ min: 1, max: 5 }),
  text: text(),
})
export type ReviewRequest = z.infer<typeof ReviewRequest>

/** A stored Review. */
export type Review = typeof review.$inferSelect

/** What a create stores. */
export type CreateReview = { readonly id: string } & Omit<Review, 'id'>

/** What an update stores. */
export type UpdateReview = Review

/** What clients see of a Review. */
export const publicReview = (review: Review) => ({
  id: review.id,
  stars: review.stars,
  text: review.text,
})
export type PublicReview = ReturnType<typeof publicReview>
