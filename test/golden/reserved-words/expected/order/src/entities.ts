import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { time } from '#lib/times.ts'
import { boolean, double, integer, text, uuid } from '#lib/values.ts'
import type { check_, group, order, orderRelations, reply } from './schema.ts'

/** What a client sends to create or update an Order. */
export const OrderRequest = z.object({
  select: text(),
  from: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  where: boolean,
  table: text(),
  user: uuid,
  primary: double(),
  constraint: date,
  references: time,
  class: text(),
  delete: text(),
  await: text(),
  new: text(),
  enum: text(),
  interface: text(),
  constructor: text(),
  prototype: text(),
  hasOwnProperty: text(),
  toString: text(),
  valueOf: text(),
  toJSON: text(),
  then: text(),
  owner: text(),
  parent: text(),
  input: text(),
  request: text(),
  env: text(),
  caller: text(),
  string: text(),
  int: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  project: text(),
  service: text(),
  struct: text(),
  error: text(),
  limit: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  after: text(),
})
export type OrderRequest = z.infer<typeof OrderRequest>

/** What an update of an Order results in. It may lack what is not stored. */
export type UpdateOrderRequest = Omit<OrderRequest, 'new'> & Partial<Pick<OrderRequest, 'new'>>

/** A stored Order. */
export type Order = Omit<typeof order.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateOrder = { readonly id: string } & Omit<Order, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateOrder = { id: string } & Partial<Order>

/** What clients see of an Order. */
export const publicOrder = (order: Order) => ({
  id: order.id,
  select: order.select,
  from: order.from,
  where: order.where,
  table: order.table,
  user: order.user,
  primary: order.primary,
  constraint: order.constraint,
  references: order.references,
  class: order.class,
  delete: order.delete,
  function: order.function,
  await: order.await,
  enum: order.enum,
  interface: order.interface,
  constructor: order.constructor,
  prototype: order.prototype,
  hasOwnProperty: order.hasOwnProperty,
  toString: order.toString,
  valueOf: order.valueOf,
  toJSON: order.toJSON,
  then: order.then,
  owner: order.owner,
  parent: order.parent,
  input: order.input,
  request: order.request,
  env: order.env,
  caller: order.caller,
  string: order.string,
  int: order.int,
  project: order.project,
  service: order.service,
  struct: order.struct,
  error: order.error,
  limit: order.limit,
  after: order.after,
})
export type PublicOrder = ReturnType<typeof publicOrder>

/** What a client sends to create or update a Group. */
export const GroupRequest = z.object({
  all: boolean,
  user: uuid,
})
export type GroupRequest = z.infer<typeof GroupRequest>

/** A stored Group. */
export type Group = typeof group.$inferSelect

/** What a create stores. */
export type CreateGroup = { readonly id: string } & Omit<Group, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateGroup = { id: string; parentId: string } & Partial<Group>

/** What clients see of a Group. */
export const publicGroup = (group: Group) => ({
  id: group.id,
  all: group.all,
  user: group.user,
})
export type PublicGroup = ReturnType<typeof publicGroup>

/** What a client sends to create or update a Reply. */
export const ReplyRequest = z.object({
  parentId: text(),
  parent: text(),
})
export type ReplyRequest = z.infer<typeof ReplyRequest>

/** What an update of a Reply results in. It may lack what is not stored. */
export type UpdateReplyRequest = Omit<ReplyRequest, 'parentId' | 'parent'> &
  Partial<Pick<ReplyRequest, 'parentId' | 'parent'>>

/** A stored Reply. */
export type Reply = typeof reply.$inferSelect

/** What a create stores. */
export type CreateReply = { readonly id: string } & Omit<Reply, 'id'>

/** What an update stores. */
export type UpdateReply = { id: string; _parentId: string }

/** What clients see of a Reply. */
export const publicReply = (reply: Reply) => ({
  id: reply.id,
})
export type PublicReply = ReturnType<typeof publicReply>

/** What a client sends to create or update an OrderRelations. */
export const OrderRelationsRequest = z.object({
  order: text(),
})
export type OrderRelationsRequest = z.infer<typeof OrderRelationsRequest>

/** A stored OrderRelations. */
export type OrderRelations = typeof orderRelations.$inferSelect

/** What a create stores. */
export type CreateOrderRelations = { readonly id: string } & Omit<OrderRelations, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateOrderRelations = { id: string; parentId: string } & Partial<OrderRelations>

/** What clients see of an OrderRelations. */
export const publicOrderRelations = (orderRelations: OrderRelations) => ({
  id: orderRelations.id,
  order: orderRelations.order,
})
export type PublicOrderRelations = ReturnType<typeof publicOrderRelations>

/** What a client sends to create or update a Check. */
export const CheckRequest = z.object({
  group: uuid,
  unique: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
})
export type CheckRequest = z.infer<typeof CheckRequest>

/** A stored Check. */
export type Check = typeof check_.$inferSelect

/** What a create stores. */
export type CreateCheck = { readonly id: string } & Omit<Check, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateCheck = { id: string; parentId: string } & Partial<Check>

/** What clients see of a Check. */
export const publicCheck = (check_: Check) => ({
  id: check_.id,
  group: check_.group,
  unique: check_.unique,
})
export type PublicCheck = ReturnType<typeof publicCheck>
