import type { Authorizer, CallOptions, Connection } from './connection.js'
import { type Result, success } from './result.js'

/** The credentials of a user. */
export interface Credentials {
  /** Not case-sensitive. */
  readonly email: string
  /** At least 8 characters and at most 72 bytes in UTF-8. */
  readonly password: string
}

/** The initial state of a session. */
export interface SessionOptions {
  /** A token from an earlier session. */
  readonly token?: string
  /** Credentials with which the client logs in when a request is rejected. */
  readonly credentials?: Credentials
}

/** The session of a user. */
export interface Session {
  /** Registers a user and returns the token. Fails with `conflict` if the email is already registered. */
  register(credentials: Credentials, options?: CallOptions): Promise<Result<string>>
  /** Logs a user in and returns the token, which is valid for 24 hours by default. */
  login(credentials: Credentials, options?: CallOptions): Promise<Result<string>>
  /** Returns the token that requests send; `undefined` if no user is logged in. */
  token(): string | undefined
  /** Forgets the token and the credentials. */
  signOut(): void
}

/**
 * Creates a session that keeps a user's token and logs in again when it is rejected, once for all requests that are
 * rejected at the same time. `path` is that of the authentication service; `connection` sends no token.
 */
export function createSession(
  path: string,
  connection: Connection,
  options: SessionOptions,
): { readonly session: Session; readonly authorizer: Authorizer } {
  let { token, credentials } = options
  let renewal: Promise<Result<boolean>> | undefined
  /** Earlier tokens of the same user. */
  const replaced = new Set<string>()

  async function signIn(kind: 'register' | 'login', given: Credentials, call?: CallOptions) {
    const { email, password } = given
    const result = await connection.send<{ AccessToken: string }>({
      method: 'POST',
      path: `${path}/${kind}`,
      body: { email, password },
      options: call,
    })
    return result.ok ? success(result.value.AccessToken) : result
  }

  async function begin(kind: 'register' | 'login', given: Credentials, call?: CallOptions) {
    const result = await signIn(kind, given, call)
    if (result.ok) {
      token = result.value
      credentials = given
      replaced.clear()
    }
    return result
  }

  async function signInAgain(known: Credentials): Promise<Result<boolean>> {
    const result = await signIn('login', known)
    renewal = undefined
    if (!result.ok) return result
    // Another user may have logged in, or the user may have signed out, in the meantime.
    if (credentials !== known) return success(false)
    if (token !== undefined) replaced.add(token)
    token = result.value
    return success(true)
  }

  return {
    session: {
      register: (given, call) => begin('register', given, call),
      login: (given, call) => begin('login', given, call),
      token: () => token,
      signOut: () => {
        token = undefined
        credentials = undefined
      },
    },
    authorizer: {
      token: () => token,
      renew: async (rejectedToken) => {
        // Nobody sends what another user has asked for.
        if (token !== undefined && token !== rejectedToken)
          return success(rejectedToken === undefined || replaced.has(rejectedToken))
        if (credentials === undefined) return success(false)
        renewal ??= signInAgain(credentials)
        return renewal
      },
    },
  }
}
