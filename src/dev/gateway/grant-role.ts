import { decodeJwt, SignJWT } from 'jose'
import type { Credential } from '../gateway-credentials.ts'
import type { VerifyToken } from './verify-token.ts'

/**
 * Returns the token of an Authorization header with this role in place of its own roles, or `undefined` if the token
 * is not valid. Only `portico dev` can do this: a deployed gateway signs nothing.
 */
export type GrantRole = (authorization: string | undefined, role: string) => Promise<string | undefined>

/** Creates a function that signs tokens with the first credential, as the authentication service does. */
export function createRoleGrant([signer]: readonly Credential[], verifyToken: VerifyToken): GrantRole {
  return async (authorization = '', role) => {
    if (signer === undefined || !(await verifyToken(authorization))) return undefined
    const claims = decodeJwt(authorization.replace(/^bearer +/i, ''))
    return new SignJWT({ ...claims, iss: signer.id, roles: [role] })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(Buffer.from(signer.secret, 'base64url'))
  }
}
