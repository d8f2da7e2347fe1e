import { z } from 'zod'
import { double, text, uuid } from '#lib/values.ts'
import type { drawing, edge, node, note } from './schema.ts'

/** What a client sends to create or update a Drawing. */
export const DrawingRequest = z.object({
  title: text({ max: 100 }),
})
export type DrawingRequest = z.infer<typeof DrawingRequest>

/** A stored Drawing. */
export type Drawing = Omit<typeof drawing.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateDrawing = { readonly id: string } & Omit<Drawing, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateDrawing = { id: string } & Partial<Drawing>

/** What clients see of a Drawing. */
export const publicDrawing = (drawing: Drawing) => ({
  id: drawing.id,
  title: drawing.title,
})
export type PublicDrawing = ReturnType<typeof publicDrawing>

/** What a client sends to create or update a Node. */
export const NodeRequest = z.object({
  label: text({ max: 40 }),
})
export type NodeRequest = z.infer<typeof NodeRequest>

/** A stored Node. */
export type Node = typeof node.$inferSelect

/** What a create stores. */
export type CreateNode = { readonly id: string } & Omit<Node, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateNode = { id: string; parentId: string } & Partial<Node>

/** What clients see of a Node. */
export const publicNode = (node: Node) => ({
  id: node.id,
  label: node.label,
})
export type PublicNode = ReturnType<typeof publicNode>

/** What a client sends to create or update an Edge. */
export const EdgeRequest = z.object({
  from: uuid,
  to: uuid,
  weight: double(),
})
export type EdgeRequest = z.infer<typeof EdgeRequest>

/** A stored Edge. */
export type Edge = typeof edge.$inferSelect

/** What a create stores. */
export type CreateEdge = { readonly id: string } & Omit<Edge, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateEdge = { id: string; parentId: string } & Partial<Edge>

/** What clients see of an Edge. */
export const publicEdge = (edge: Edge) => ({
  id: edge.id,
  from: edge.from,
  to: edge.to,
  weight: edge.weight,
})
export type PublicEdge = ReturnType<typeof publicEdge>

/** What a client sends to create or update a Note. */
export const NoteRequest = z.object({
  about: uuid,
  text: text({ max: 200 }),
})
export type NoteRequest = z.infer<typeof NoteRequest>

/** A stored Note. */
export type Note = typeof note.$inferSelect

/** What a create stores. */
export type CreateNote = { readonly id: string } & Omit<Note, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateNote = { id: string; parentId: string } & Partial<Note>

/** What clients see of a Note. */
export const publicNote = (note: Note) => ({
  id: note.id,
  about: note.about,
  node: note.node,
  text: note.text,
})
export type PublicNote = ReturnType<typeof publicNote>
