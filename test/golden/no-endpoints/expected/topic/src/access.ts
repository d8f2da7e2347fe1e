import type { Caller } from './identity.ts'
import { isUuid } from './ids.ts'
import type { Statements } from './statements.ts'

/** Who may do what with the entities of the service. */
export function createAccess(statements: Statements['topic']) {
  return {
    name: 'Topic',

    /** Which of the ids are missing, or are not for the caller to read; a malformed id is one that is missing. */
    async unknown(ids: readonly string[], caller: Caller): Promise<Set<string>> {
      const wellFormed = ids.filter(isUuid)
      const found = await statements.readable.execute({
        ids: `{${wellFormed.join(',')}}`,
        _caller: caller.id,
      })
      const known = new Set(found.map(({ id }) => id))
      return new Set(ids.filter((id) => !known.has(id.toLowerCase())))
    },
  }
}

export type Access = ReturnType<typeof createAccess>
