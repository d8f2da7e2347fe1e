import { notFound } from './errors.ts'
import type { Caller } from './identity.ts'
import type { Statements } from './statements.ts'

/** Who may do what with the entities of the service. */
export function createAccess(statements: Statements['writer']) {
  return {
    /** Throws 404 unless there is such an entity of the caller's. */
    async requireOwn(id: string, caller: Caller): Promise<void> {
      const [found] = await statements.find.execute({ id })
      if (found?.owner !== caller.id) throw notFound('Writer', id)
    },
  }
}

export type Access = ReturnType<typeof createAccess>
