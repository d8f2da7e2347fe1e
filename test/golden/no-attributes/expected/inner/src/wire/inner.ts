import type { Inner } from '../entities.ts'

/** What clients see of it. */
export function present(entity: Inner): unknown {
  return {
    id: entity.id,
    seen: entity.seen,
  }
}
