import { randomUUID } from 'node:crypto'
import type { Caller, Identify } from './tokens.ts'

const callers = new Map<string, Caller>()

/** Creates a user for tests, who has these roles. Requests with `headers` are the user's. */
export function createCaller(...roles: readonly string[]): Caller & { headers: { authorization: string } } {
  const id = randomUUID()
  const caller = { id, roles, token: id, headers: { authorization: id } }
  callers.set(id, caller)
  return caller
}

/** Identifies the users that `createCaller` has created. */
export const identify: Identify = async (authorization = '') => callers.get(authorization)
