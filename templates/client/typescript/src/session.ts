import type { Authorizer, CallOptions, Connection } from './connection.js'
import { type Result, success } from './result.js'

/** Who registers or signs in. */
export interface Credentials {
  /** Found whatever its case. */
  readonly email: string
  /** At least 8 characters, and at most 72 bytes in UTF-8. */
  readonly password: string
}

/** What a session begins with. */
export interface SessionOptions {
  /** A token that was kept from an earlier session. */
  readonly token?: string
  /** With these the client signs in by itself, as soon as a request is refused. */
  readonly credentials?: Credentials
}

/** Who a client speaks for. */
export interface Session {
  /** Registers a user, signs the user in and gives the token. A known email is a `conflict`. */
  register(credentials: Credentials, options?: CallOptions): Promise<Result<string>>
  /** Signs a user in and gives the token, which is valid for 24 hours. */
  login(credentials: Credentials, options?: CallOptions): Promise<Result<string>>
  /** The token that requests carry; `undefined` as long as nobody is signed in. */
  token(): string | undefined
  /** Forgets the token and the credentials. */
  signOut(): void
}

/**
 * Keeps the token of a user, and signs in again where it is refused: once for all requests that are refused at the
 * same time. `path` is that of the authentication service; `connection` carries no token.
 */
export function createSession(
  path: string,
  connection: Connection,
  options: SessionOptions,
): { readonly session: Session; readonly authorizer: Authorizer } {
  let { token, credentials } = options
  let renewal: Promise<boolean> | undefined

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
    }
    return result
  }

  async function signInAgain(known: Credentials): Promise<boolean> {
    const result = await signIn('login', known)
    // Somebody else may have signed in, or out, meanwhile.
    if (result.ok && credentials === known) token = result.value
    renewal = undefined
    return result.ok && credentials === known
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
      renew: async (refused) => {
        if (token !== undefined && token !== refused) return true
        if (credentials === undefined) return false
        renewal ??= signInAgain(credentials)
        return renewal
      },
    },
  }
}
