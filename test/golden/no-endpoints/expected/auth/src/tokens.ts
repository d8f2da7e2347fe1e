import { SignJWT } from 'jose'
import type { Credentials } from './credentials.ts'

/** Issues the access token of a record. */
export type IssueToken = (id: string) => Promise<string>

const LIFETIME = '24h'

/** Tokens are signed with the first credential, whose id is their `iss` (RFC 7519). */
export function createIssueToken([{ id: issuer, key }]: Credentials): IssueToken {
  return (id) =>
    new SignJWT({ id })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(key)
}
