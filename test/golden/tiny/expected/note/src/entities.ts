import { z } from 'zod'
import { text } from '#lib/values.ts'
import type { note } from './schema.ts'

/** What a client sends to create or update a Note. */
export const NoteRequest = z.object({
  text: text(),
})
export type NoteRequest = z.infer<typeof NoteRequest>

/** A stored Note. */
export type Note = typeof note.$inferSelect

/** What a create stores. */
export type CreateNote = { readonly id: string } & Omit<Note, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateNote = { id: string } & Partial<Note>

/** What clients see of a Note. */
export const publicNote = (note: Note) => ({
  id: note.id,
  text: note.text,
})
export type PublicNote = ReturnType<typeof publicNote>
