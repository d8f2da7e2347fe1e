import { SignJWT } from 'jose'
import type { Log } from '#lib/log.ts'
import { watchCredentials } from '#lib/tokens.ts'
import type { Config } from './config.ts'

/** Issues an access token for a user account. */
export type IssueToken = (id: string, roles: readonly string[]) => Promise<string>

/** Creates the issuer of tokens. It signs with the first credential, whose id is the `iss` of the tokens (RFC 7519). */
export async function createIssueToken(
  config: Pick<Config, 'GATEWAY_CREDENTIALS_FILE' | 'TOKEN_LIFETIME_MINUTES'>,
  log: Log,
): Promise<IssueToken> {
  const credentials = await watchCredentials(config.GATEWAY_CREDENTIALS_FILE, log)
  return async (id, roles) => {
    const [signer] = credentials()
    return new SignJWT({ id, ...(roles.length > 0 && { roles }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(signer.id)
      .setIssuedAt()
      .setExpirationTime(`${config.TOKEN_LIFETIME_MINUTES}m`)
      .sign(signer.secret)
  }
}
