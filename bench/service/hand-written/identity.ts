import { readFileSync } from 'node:fs'
import { jwtVerify } from 'jose'

/** Who sent a request. */
export interface Caller {
  readonly id: string
  readonly token: string
}

interface Credentials {
  readonly credentials: readonly { readonly id: string; readonly secret: string }[]
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const file = process.env['GATEWAY_CREDENTIALS_FILE'] ?? '/run/secrets/gateway-credentials'
const { credentials } = JSON.parse(readFileSync(file, 'utf8')) as Credentials
const keys = new Map(
  await Promise.all(
    credentials.map(async ({ id, secret }) => {
      const algorithm = { name: 'HMAC', hash: 'SHA-256' }
      const key = await crypto.subtle.importKey('raw', Buffer.from(secret, 'base64url'), algorithm, false, [
        'verify',
      ])
      return [id, key] as const
    }),
  ),
)

/** The caller that an Authorization header names, or undefined where its token is none of ours. */
export async function checkToken(header: string | undefined): Promise<Caller | undefined> {
  const token = /^Bearer +([^ ]+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) return undefined
  for (const [issuer, key] of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer,
        requiredClaims: ['exp', 'id'],
      })
      const id = payload['id']
      return typeof id === 'string' && UUID.test(id) ? { id: id.toLowerCase(), token } : undefined
    } catch {
      // The next credential may be the one.
    }
  }
  return undefined
}
