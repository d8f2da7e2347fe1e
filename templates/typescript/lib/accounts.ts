import { HTTPException } from 'hono/http-exception'
import { unavailable } from './errors.ts'
import { signCall } from './service-keys.ts'
import { clientOf } from './services.ts'

/** A user account. */
export interface Account {
  /** The `id` of the tokens of the user. */
  readonly id: string
  /** As registered. */
  readonly email: string
  /** The roles that the next token of the user carries. */
  readonly roles: readonly string[]
}

/** Which service reads accounts, and where they are. */
interface Options {
  readonly url: string
  readonly timeoutMs: number
  readonly keys: string
  readonly caller: string
  readonly callee: string
}

/** Reads accounts of the authentication service. The calls are those of this service, whoever caused them. */
export function accountsOf({ url, timeoutMs, ...edge }: Options) {
  const client = clientOf('Auth', url, timeoutMs)
  /** Returns those of the accounts that exist, with few requests. */
  const readMany = async (ids: readonly string[]): Promise<Account[]> => {
    try {
      return await client.readMany<Account>(ids, { token: await signCall(edge) })
    } catch (error) {
      // The client of this service is not the one whose token is refused.
      throw error instanceof HTTPException && error.status === 401 ? unavailable('Auth') : error
    }
  }
  return {
    /** Returns the account with this id, or `undefined` if it does not exist. */
    read: async (id: string): Promise<Account | undefined> => (await readMany([id]))[0],
    readMany,
  }
}
