import { createSecretKey } from 'node:crypto'
import { decodeJwt, jwtVerify } from 'jose'
import type { Credential } from '../gateway-credentials.ts'

/** Whether an Authorization header holds a valid token that one of the credentials signed. */
export type VerifyToken = (authorization: string | undefined) => Promise<boolean>

/** RFC 6750, 2.1, with the scheme in any case (RFC 9110, 11.1); the parts of a JWT have no padding (RFC 7515, 2). */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
/** How many valid tokens are cached, so that the signature of a token is checked once. */
const CACHE_SIZE = 10_000

/**
 * Creates a function that checks tokens like the deployed gateway (RFC 7519, HS256 only): signed with the credential
 * named by `iss`, not expired, and not issued in the future.
 */
export function createTokenVerifier(credentials: readonly Credential[]): VerifyToken {
  const keys = new Map(
    credentials.map(({ id, secret }) => [id, createSecretKey(Buffer.from(secret, 'base64url'))]),
  )
  const expiries = new Map<string, number>()

  return async (authorization) => {
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) return false
    const now = Date.now() / 1000
    const known = expiries.get(token)
    if (known !== undefined) return now < known
    try {
      const { iss } = decodeJwt(token)
      const key = keys.get(iss ?? '')
      if (key === undefined) return false
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp'] })
      if (payload.iat !== undefined && payload.iat > now + 1) return false
      if (expiries.size >= CACHE_SIZE) expiries.clear()
      expiries.set(token, payload.exp ?? 0)
      return true
    } catch {
      // jose throws for every invalid token. Clients are not told the reason.
      return false
    }
  }
}
