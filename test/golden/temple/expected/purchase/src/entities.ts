import { z } from 'zod'
import { time } from '#lib/dates.ts'
import { uuid } from '#lib/values.ts'
import type { purchase } from './schema.ts'

/** What a client sends to create or update a Purchase. */
export const PurchaseRequest = z.object({
  product: uuid,
  when: time,
})
export type PurchaseRequest = z.infer<typeof PurchaseRequest>

/** A stored Purchase. */
export type Purchase = Omit<typeof purchase.$inferSelect, '_owner'>

/** What a create stores. */
export type CreatePurchase = { readonly id: string } & Omit<Purchase, 'id'>

/** What an update stores. */
export type UpdatePurchase = Purchase

/** What clients see of a Purchase. */
export const publicPurchase = (purchase: Purchase) => ({
  id: purchase.id,
  product: purchase.product,
  when: purchase.when,
})
export type PublicPurchase = ReturnType<typeof publicPurchase>
