import { z } from 'zod'
import { text } from '#lib/values.ts'
import type { customer } from './schema.ts'

/** What a client sends to create or update a Customer. */
export const CustomerRequest = z.object({
  name: text({ max: 80 }),
})
export type CustomerRequest = z.infer<typeof CustomerRequest>

/** A stored Customer. */
export type Customer = typeof customer.$inferSelect

/** What a create stores. */
export type CreateCustomer = { readonly id: string } & Omit<Customer, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateCustomer = { id: string } & CustomerRequest & Partial<Customer>

/** What clients see of a Customer. */
export const publicCustomer = (customer: Customer) => ({
  id: customer.id,
  name: customer.name,
  loyalty: customer.loyalty,
})
export type PublicCustomer = ReturnType<typeof publicCustomer>
