import { createSecretKey } from 'node:crypto'
import { decodeJwt, jwtVerify } from 'jose'
import type { Credential } from '../credential.ts'

/** Whether an Authorization header holds a token that one of the credentials signed and that is valid now. */
export type VerifyToken = (authorization: string | undefined) => Promise<boolean>

/** RFC 6750, 2.1, with the scheme in any case (RFC 9110, 11.1); the parts of a JWT have no padding (RFC 7515, 2). */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
/** Tokens that were found valid and are remembered, so that a busy client costs one check of a signature. */
const MAX_REMEMBERED = 10_000

/**
 * Checks tokens as the deployed gateway does (RFC 7519, HS256 alone): signed by the credential that `iss`
 * names, with an expiry that lies ahead, and not dated ahead itself.
 */
export function tokenVerifier(credentials: readonly Credential[]): VerifyToken {
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
      if (expiries.size >= MAX_REMEMBERED) expiries.clear()
      expiries.set(token, payload.exp ?? 0)
      return true
    } catch {
      // jose throws for each way in which a token is not valid; all are one answer to a client.
      return false
    }
  }
}
