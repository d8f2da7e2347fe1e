import { forbidden, notFound } from './errors.ts'
import type { Caller } from './identity.ts'
import type { Statements } from './statements.ts'

/** Who may do what with the entities of the service. */
export function createAccess(statements: Statements['drawing']) {
  return {
    /** Throws 404 unless there is such an entity. */
    async requireExisting(id: string): Promise<void> {
      const [found] = await statements.find.execute({ id })
      if (found === undefined) throw notFound('Drawing', id)
    },

    /** Throws 404 unless there is such an entity, 403 unless it is the caller's. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      const [found] = await statements.find.execute({ id })
      if (found === undefined) throw notFound('Drawing', id)
      if (found.owner !== caller.id) throw forbidden()
    },
  }
}

export type Access = ReturnType<typeof createAccess>
