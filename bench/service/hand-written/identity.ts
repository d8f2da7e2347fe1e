import { readFileSync } from 'node:fs'
import { decodeJwt, jwtVerify } from 'jose'

/** The user who sent a request. */
export interface Caller {
  readonly id: string
  readonly token: string
}

interface Credentials {
  readonly credentials: readonly { readonly id: string; readonly secret: string }[]
}

const file = process.env['GATEWAY_CREDENTIALS_FILE'] ?? '/run/secrets/gateway-credentials'
const { credentials } = JSON.parse(readFileSync(file, 'utf8')) as Credentials
const secrets = new Map(credentials.map(({ id, secret }) => [id, Buffer.from(secret, 'base64url')]))

const MAX_REMEMBERED = 10_000
/** Verifying a signature takes longer than the rest of many requests. */
const remembered = new Map<string, { readonly caller: Caller; readonly expires: number }>()

/** Returns the caller of a valid Authorization header; otherwise `undefined`. */
export async function checkToken(header = ''): Promise<Caller | undefined> {
  const token = /^Bearer +([^ ]+)$/i.exec(header)?.[1]
  if (token === undefined) return undefined
  const known = remembered.get(token) ?? (await verify(token).catch(() => undefined))
  return known !== undefined && known.expires > Date.now() ? known.caller : undefined
}

async function verify(token: string) {
  const secret = secrets.get(decodeJwt(token).iss ?? '')
  if (secret === undefined) return undefined
  const options = { algorithms: ['HS256'], requiredClaims: ['exp', 'id'] }
  const { payload } = await jwtVerify<{ id: string }>(token, secret, options)
  const verified = { caller: { id: payload.id, token }, expires: (payload.exp ?? 0) * 1000 }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(token, verified)
  return verified
}
