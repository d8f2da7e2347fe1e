import { notFound } from './errors.ts'
import { isUuid } from './ids.ts'
import type { Statements } from './statements.ts'

/** Who may do what with the entities of the service. */
export function createAccess(statements: Statements['httpProxy2']) {
  return {
    /** Throws 404 unless there is such an entity. */
    async requireExisting(id: string): Promise<void> {
      const [found] = await statements.find.execute({ id })
      if (found === undefined) throw notFound('HTTPProxy2', id)
    },

    name: 'HTTPProxy2',

    /** Which of the ids are missing, or are not for the caller to read; a malformed id is one that is missing. */
    async unknown(ids: readonly string[]): Promise<Set<string>> {
      const wellFormed = ids.filter(isUuid)
      const found = await statements.readable.execute({ ids: `{${wellFormed.join(',')}}` })
      const known = new Set(found.map(({ id }) => id))
      return new Set(ids.filter((id) => !known.has(id.toLowerCase())))
    },
  }
}

export type Access = ReturnType<typeof createAccess>
