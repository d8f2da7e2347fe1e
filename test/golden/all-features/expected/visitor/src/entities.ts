import { z } from 'zod'
import { text } from '#lib/values.ts'
import type { visitor } from './schema.ts'

/** What a client sends to create or update a Visitor. */
export const VisitorRequest = z.object({
  name: text({ min: 1, max: 80 }),
  badge: text({ max: 12 }),
  /** What others call them. */
  nick: text({ max: 20 }).nullable().default(null),
  pin: text({ min: 4, max: 8 }),
})
export type VisitorRequest = z.infer<typeof VisitorRequest>

/** What an update of a Visitor results in. It may lack what is not stored. */
export type UpdateVisitorRequest = Omit<VisitorRequest, 'pin'> & Partial<Pick<VisitorRequest, 'pin'>>

/**
 * A stored Visitor.
 *
 * A guest of the fair.
 */
export type Visitor = typeof visitor.$inferSelect

/** What a create stores. */
export type CreateVisitor = { readonly id: string } & Omit<Visitor, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateVisitor = { id: string } & Partial<Visitor>

/** What clients see of a Visitor. */
export const publicVisitor = (visitor: Visitor) => ({
  id: visitor.id,
  name: visitor.name,
  badge: visitor.badge,
  nick: visitor.nick,
  tickets: visitor.tickets,
})
export type PublicVisitor = ReturnType<typeof publicVisitor>
