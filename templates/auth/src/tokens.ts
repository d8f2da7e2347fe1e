import { SignJWT } from 'jose'
import type { Log } from '#lib/log.ts'
import { type Credential, watchCredentials } from '#lib/tokens.ts'

/** Issues an access token for a user account. */
export type IssueToken = (id: string, roles: readonly string[]) => Promise<string>

const LIFETIME = '24h'

/** Creates the issuer of tokens. It signs with the first credential, whose id is the `iss` of the tokens (RFC 7519). */
export async function createIssueToken(file: string, log: Log): Promise<IssueToken> {
  let signer: Credential | undefined
  await watchCredentials(file, log, ([first]) => {
    signer = first
  })
  return async (id, roles) => {
    if (signer === undefined) throw new Error('No credentials')
    return new SignJWT({ id, ...(roles.length > 0 && { roles }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(signer.id)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(signer.secret)
  }
}
