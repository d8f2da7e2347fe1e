import { z } from 'zod'
import { text, withDefault } from '#lib/values.ts'
import type { speaker } from './schema.ts'

/** What a client sends to create or update a Speaker. */
export const SpeakerRequest = z.object({
  /** What the speaker is called. */
  name: text({ max: 80 }),
  /** On one line. */
  voice: text({ max: 20 }),
  /**
   * @ts-expect-error would be an instruction to the compiler.
   */
  tone: withDefault(text({ max: 20 }), 'high|low'),
})
export type SpeakerRequest = z.infer<typeof SpeakerRequest>

/**
 * A stored Speaker.
 *
 * The first line.
 * The second line, with <html> & "quotes".
 *
 * A new paragraph; umlauts äöü, 漢字 and an emoji 🏠.
 */
export type Speaker = typeof speaker.$inferSelect

/** What a create stores. */
export type CreateSpeaker = { readonly id: string } & Omit<Speaker, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateSpeaker = { id: string } & Partial<Speaker>

/** What clients see of a Speaker. */
export const publicSpeaker = (speaker: Speaker) => ({
  id: speaker.id,
  name: speaker.name,
  voice: speaker.voice,
  tone: speaker.tone,
})
export type PublicSpeaker = ReturnType<typeof publicSpeaker>
