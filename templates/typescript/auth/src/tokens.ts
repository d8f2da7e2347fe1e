import { SignJWT } from 'jose'
import type { Log } from '#lib/log.ts'
import { watchCredentials } from '#lib/tokens.ts'

/** Issues an access token for a user account. */
export type IssueToken = (id: string, roles: readonly string[]) => Promise<string>

const LIFETIME = '24h'

/** Creates the issuer of tokens. It signs with the first credential, whose id is the `iss` of the tokens (RFC 7519). */
export async function createIssueToken(file: string, log: Log): Promise<IssueToken> {
  const credentials = await watchCredentials(file, log)
  return async (id, roles) => {
    const [signer] = credentials()
    return new SignJWT({ id, ...(roles.length > 0 && { roles }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(signer.id)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(signer.secret)
  }
}
