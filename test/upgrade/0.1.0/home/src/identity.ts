import { decodeJwt, jwtVerify } from 'jose'
import type { Credential, Credentials } from './credentials.ts'
import { isUuid } from './ids.ts'

/** Who sent a request, as its token says. */
export interface Caller {
  /** The UUID of the authentication record, in lower case. */
  readonly id: string
  /** As received: calls to other services pass it on. */
  readonly token: string
}

/** Takes an `Authorization` header. Gives `undefined` where that holds no token that is valid now. */
export type Identify = (authorization: string | undefined) => Promise<Caller | undefined>

interface Verified {
  readonly caller: Caller
  /** When the token or the credential that signed it ends, in seconds since 1970. */
  readonly expires: number
}

/** RFC 6750, section 2.1; the scheme in either case (RFC 9110, section 11.1). Two headers joined do not match. */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
/** Clocks of two machines may differ by so much, in seconds, when a token is used right after it was issued. */
const ISSUE_TOLERANCE_S = 5
/** Tokens whose signature was checked already, the longest known of which goes first. */
const MAX_REMEMBERED = 10_000

/** Makes the check of tokens. It is the service's own: what the gateway says about a request is not believed. */
export function createIdentify(credentials: Credentials): Identify {
  const issuers = new Map(credentials.map((credential) => [credential.id, credential]))
  const remembered = new Map<string, Verified>()

  function remember(token: string, verified: Verified): void {
    if (remembered.size >= MAX_REMEMBERED) {
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest)
        break
      }
    }
    remembered.set(token, verified)
  }

  return async (authorization) => {
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
    if (token === undefined) return undefined
    const known = remembered.get(token)
    if (known !== undefined) {
      if (known.expires > Date.now() / 1000) return known.caller
      remembered.delete(token)
      return undefined
    }
    const verified = await verify(token, issuers)
    if (verified !== undefined) remember(token, verified)
    return verified?.caller
  }
}

async function verify(
  token: string,
  issuers: ReadonlyMap<string, Credential>,
): Promise<Verified | undefined> {
  try {
    const issuer = issuers.get(decodeJwt(token).iss ?? '')
    if (issuer === undefined || issuer.expires <= Date.now() / 1000) return undefined
    const { payload } = await jwtVerify(token, issuer.key, {
      algorithms: ['HS256'],
      requiredClaims: ['iss', 'iat', 'exp', 'id'],
    })
    const { id, iat = 0, exp = 0 } = payload
    if (typeof id !== 'string' || !isUuid(id)) return undefined
    if (iat > Date.now() / 1000 + ISSUE_TOLERANCE_S) return undefined
    return { caller: { id: id.toLowerCase(), token }, expires: Math.min(exp, issuer.expires) }
  } catch {
    // Whatever is wrong with it, the answer is the same, and the token goes into no log.
    return undefined
  }
}
