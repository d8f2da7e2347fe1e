import { z } from 'zod'
import type { soul } from './schema.ts'

/** What a client sends to create or update a Soul. */
export const SoulRequest = z.object({})
export type SoulRequest = z.infer<typeof SoulRequest>

/** A stored Soul. */
export type Soul = typeof soul.$inferSelect

/** What a create stores. */
export type CreateSoul = { readonly id: string } & Omit<Soul, 'id'>

/** What an update stores. */
export type UpdateSoul = { id: string }

/** What clients see of a Soul. */
export const publicSoul = (soul: Soul) => ({
  id: soul.id,
})
export type PublicSoul = ReturnType<typeof publicSoul>
