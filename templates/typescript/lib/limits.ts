import { HTTPException } from 'hono/http-exception'
import { forbidden } from './errors.ts'
import type { Caller } from './tokens.ts'

/** Whose entities a query concerns. */
export type Owner = Pick<Caller, 'id'>

/** What queries on behalf of a caller are limited to. Those of nobody in particular have no limits. */
export interface Limits {
  /** Whose entities are read; undefined for those of all. */
  readonly reader?: Owner | undefined
  /** Whose entities are changed; undefined for those of all. */
  readonly writer?: Owner | undefined
  /** Who creates entities. */
  readonly creator?: Owner
  /** Whether the entries of a parent are read. */
  readonly mayRead?: (parent: string) => Promise<boolean>
}

/** Returns the queries on behalf of a caller. Without one, they find nothing, and create nothing. */
export const asCaller =
  <Queries extends object>(queriesOf: (caller: Caller) => Queries) =>
  (caller: Caller | undefined): Queries =>
    caller === undefined ? ofNobody(queriesOf({ id: '', roles: [], token: '' })) : queriesOf(caller)

function ofNobody<Queries extends object>(queries: Queries): Queries {
  return Object.fromEntries(Object.keys(queries).map((name) => [name, findsNothing(name)])) as Queries
}

const findsNothing = (name: string) => async () => {
  if (name.startsWith('create')) throw forbidden()
  return /^(?:list|readMany)/.test(name) ? [] : undefined
}

/** Whether a check passes, and does not throw 404. */
export async function passes(check: Promise<unknown>): Promise<boolean> {
  try {
    await check
    return true
  } catch (error) {
    if (error instanceof HTTPException && error.status === 404) return false
    throw error
  }
}
