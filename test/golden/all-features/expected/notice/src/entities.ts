import { z } from 'zod'
import { text, uuid } from '#lib/values.ts'
import type { copy, notice } from './schema.ts'

/** What a client sends to create or update a Notice. */
export const NoticeRequest = z.object({
  text: text({ max: 500 }),
})
export type NoticeRequest = z.infer<typeof NoticeRequest>

/**
 * A stored Notice.
 *
 * Written by organizers only.
 */
export type Notice = Omit<typeof notice.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateNotice = { readonly id: string } & Omit<Notice, 'id' | '_version'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateNotice = { id: string } & Partial<CreateNotice>

/** What clients see of a Notice. */
export const publicNotice = (notice: Notice) => ({
  id: notice.id,
  text: notice.text,
})
export type PublicNotice = ReturnType<typeof publicNotice>

/** What a client sends to create or update a Copy. */
export const CopyRequest = z.object({
  hall: uuid,
})
export type CopyRequest = z.infer<typeof CopyRequest>

/**
 * A stored Copy.
 *
 * Where it hangs.
 */
export type Copy = typeof copy.$inferSelect

/** What a create stores. */
export type CreateCopy = { readonly id: string } & Omit<Copy, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateCopy = { id: string; parentId: string } & Partial<Copy>

/** What clients see of a Copy. */
export const publicCopy = (copy: Copy) => ({
  id: copy.id,
  hall: copy.hall,
})
export type PublicCopy = ReturnType<typeof publicCopy>
