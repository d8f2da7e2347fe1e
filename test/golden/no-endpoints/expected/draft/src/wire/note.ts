import type { Note } from '../entities.ts'

/** What clients see of it. */
export function present(entity: Note): unknown {
  return {
    id: entity.id,
    text: entity.text,
  }
}
