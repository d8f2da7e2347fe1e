import type { Empty } from '../entities.ts'

/** What clients see of it. */
export function present(entity: Empty): unknown {
  return {
    id: entity.id,
  }
}
