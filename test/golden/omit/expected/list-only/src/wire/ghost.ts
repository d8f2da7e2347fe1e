import type { Ghost } from '../entities.ts'

/** What clients see of it. */
export function present(entity: Ghost): unknown {
  return {
    id: entity.id,
    text: entity.text,
  }
}
