import { violatedConstraint } from './database.ts'

/** The entries of a sibling struct as a target of references. */
export const entries = (name: string, read: (id: string) => Promise<object | undefined>) => ({
  name,
  unknown: async (ids: readonly string[]) => {
    const found = await Promise.all(ids.map(read))
    return ids.filter((_id, index) => found[index] === undefined)
  },
})

/** Returns a function for `catch` that replaces violations of the constraints by an error for the client. */
export const onViolation = (replacement: () => Error, constraints: readonly string[]) => (error: unknown) => {
  throw constraints.includes(violatedConstraint(error) ?? '') ? replacement() : error
}
