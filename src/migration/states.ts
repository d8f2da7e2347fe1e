/** The state of an empty database. */
export const EMPTY_STATE = 'none'

/**
 * The states of a database after each file of a change: the hash of the schema, and how far the change has come.
 * `<hash>-2`: two files come before code of that schema can start. `<hash>~1`: it can start, and one file follows.
 * `!`: code of the schema before no longer works.
 */
export function databaseStates(
  hash: string,
  { expand, contract, compatible }: { expand: number; contract: number; compatible: boolean },
): string[] {
  const end = compatible ? '' : '!'
  const before = Array.from({ length: expand - 1 }, (_, index) => `${hash}-${expand - 1 - index}${end}`)
  const after = Array.from({ length: contract }, (_, index) => {
    const left = contract - 1 - index
    return left === 0 ? `${hash}!` : `${hash}~${left}!`
  })
  return [...before, contract === 0 ? `${hash}${end}` : `${hash}~${contract}${end}`, ...after]
}

/** The hash of the schema that a state is or leads to. */
export function schemaOf(state: string): string {
  return state.replace(/[-~!].*$/, '')
}

/** Whether a state is that of a schema, not of a change that has files to come. */
export function isFinal(state: string): boolean {
  return !/[-~]\d/.test(state)
}
