import { z } from 'zod'
import type { empty, inner } from './schema.ts'

/** What a client sends to create or update an Inner. */
export const InnerRequest = z.object({})
export type InnerRequest = z.infer<typeof InnerRequest>

/** A stored Inner. */
export type Inner = Omit<typeof inner.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateInner = { readonly id: string } & Omit<Inner, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateInner = { id: string } & Partial<Inner>

/** What clients see of an Inner. */
export const publicInner = (inner: Inner) => ({
  id: inner.id,
  seen: inner.seen,
})
export type PublicInner = ReturnType<typeof publicInner>

/** What a client sends to create or update an Empty. */
export const EmptyRequest = z.object({})
export type EmptyRequest = z.infer<typeof EmptyRequest>

/** A stored Empty. */
export type Empty = typeof empty.$inferSelect

/** What a create stores. */
export type CreateEmpty = { readonly id: string } & Omit<Empty, 'id'>

/** What an update stores. */
export type UpdateEmpty = { id: string; parentId: string }

/** What clients see of an Empty. */
export const publicEmpty = (empty: Empty) => ({
  id: empty.id,
})
export type PublicEmpty = ReturnType<typeof publicEmpty>
