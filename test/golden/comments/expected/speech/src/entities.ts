import { z } from 'zod'
import { double, text } from '#lib/values.ts'
import type { applause, speech } from './schema.ts'

/** What a client sends to create or update a Speech. */
export const SpeechRequest = z.object({
  /** Ends like a comment in TypeScript: * / and in SQL: -- and in HTML: --> */
  text: text({ max: 10_000 }),
})
export type SpeechRequest = z.infer<typeof SpeechRequest>

/** A stored Speech. */
export type Speech = Omit<typeof speech.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateSpeech = { readonly id: string } & Omit<Speech, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateSpeech = { id: string } & Partial<Speech>

/** What clients see of a Speech. */
export const publicSpeech = (speech: Speech) => ({
  id: speech.id,
  text: speech.text,
})
export type PublicSpeech = ReturnType<typeof publicSpeech>

/** What a client sends to create or update an Applause. */
export const ApplauseRequest = z.object({
  /** How loud, in decibels. */
  loudness: double({ max: 194 }),
})
export type ApplauseRequest = z.infer<typeof ApplauseRequest>

/**
 * A stored Applause.
 *
 * A struct with documentation.
 */
export type Applause = typeof applause.$inferSelect

/** What a create stores. */
export type CreateApplause = { readonly id: string } & Omit<Applause, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateApplause = { id: string; parentId: string } & Partial<Applause>

/** What clients see of an Applause. */
export const publicApplause = (applause: Applause) => ({
  id: applause.id,
  loudness: applause.loudness,
})
export type PublicApplause = ReturnType<typeof publicApplause>
