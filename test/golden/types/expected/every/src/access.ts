import { notFound } from './errors.ts'
import type { Statements } from './statements.ts'

/** Who may do what with the entities of the service. */
export function createAccess(statements: Statements['every']) {
  return {
    /** Throws 404 unless there is such an entity. */
    async requireExisting(id: string): Promise<void> {
      const [found] = await statements.find.execute({ id })
      if (found === undefined) throw notFound('Every', id)
    },
  }
}

export type Access = ReturnType<typeof createAccess>
