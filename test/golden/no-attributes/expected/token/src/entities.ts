import { z } from 'zod'
import type { token } from './schema.ts'

/** What a client sends to create or update a Token. */
export const TokenRequest = z.object({})
export type TokenRequest = z.infer<typeof TokenRequest>

/** A stored Token. */
export type Token = Omit<typeof token.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateToken = { readonly id: string } & Omit<Token, 'id'>

/** What an update stores. */
export type UpdateToken = { id: string }

/** What clients see of a Token. */
export const publicToken = (token: Token) => ({
  id: token.id,
})
export type PublicToken = ReturnType<typeof publicToken>
