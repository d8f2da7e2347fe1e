import { createReadStream, existsSync, watchFile } from 'node:fs'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { decodeJwt, jwtVerify } from 'jose'
import { z } from 'zod'
import { unauthorized } from './errors.ts'
import type { Log } from './log.ts'
import { uuid } from './values.ts'

/** Who sent a request, according to its token. */
export interface Caller {
  readonly id: string
  /** The roles that the token carries. */
  readonly roles: readonly string[]
  /** As received. Calls to other services pass it on. */
  readonly token: string
}

/** What a token says. */
type Identity = Omit<Caller, 'roles'> & Partial<Pick<Caller, 'roles'>>

/** Verifies an `Authorization` header. Returns `undefined` without a valid token. */
export type Identify = (authorization: string | undefined) => Promise<Identity | undefined>

const names = z.array(z.string()).default([])
const claims = z.object({ id: uuid, iat: z.number(), exp: z.number(), roles: names })

/** RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
/** How far the clock of the issuer may be ahead, in seconds. */
const ISSUE_TOLERANCE_S = 5
/** Verifying a signature takes longer than the rest of many requests. */
const MAX_REMEMBERED_TOKENS = 10_000

/** Creates the check of tokens. The credentials are read from the file, again when it changes. */
export async function createIdentify(file: string, log: Log): Promise<Identify> {
  let issuers = new Map<string, Credential>()
  const remembered = new Map<string, { caller: Caller; expires: number }>()
  await watchCredentials(file, log, (credentials) => {
    issuers = new Map(credentials.map((credential) => [credential.id, credential]))
    remembered.clear()
  })

  async function verify(token: string) {
    const issuer = issuers.get(decodeJwt(token).iss ?? '')
    if (issuer === undefined) return undefined
    const { payload } = await jwtVerify(token, issuer.secret, { algorithms: ['HS256'] })
    const { id, iat, exp, roles } = claims.parse(payload)
    if (iat > now() + ISSUE_TOLERANCE_S) return undefined
    const verified = { caller: { id, roles, token }, expires: Math.min(exp, issuer.expires) }
    if (remembered.size >= MAX_REMEMBERED_TOKENS) remembered.clear()
    // It may have been revoked meanwhile.
    if (issuers.get(issuer.id) === issuer) remembered.set(token, verified)
    return verified
  }

  return async (authorization = '') => {
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined) return undefined
    // All invalid tokens get the same response, and none is logged.
    const known = remembered.get(token) ?? (await verify(token).catch(() => undefined))
    return known === undefined || known.expires <= now() ? undefined : known.caller
  }
}

const now = () => Date.now() / 1000

/** Rejects requests without a valid token. Handlers find the caller in `c.var.caller`. */
export function authenticate(identify: Identify): MiddlewareHandler<{ Variables: { caller: Caller } }> {
  return async (c, next) => {
    const caller = await identify(c.req.header('authorization'))
    if (caller === undefined) throw unauthorized()
    c.set('caller', { roles: [], ...caller })
    await next()
  }
}

const POLL_MS = 2000
const RETRY_MS = 200
/** RFC 7518, section 3.2: a key must be at least as long as the hash. */
const MIN_SECRET_BYTES = 32

const credential = z.object({
  /** The `iss` of its tokens. */
  id: z.string(),
  /** The key for HS256. */
  secret: z
    .base64url()
    .transform((secret) => Buffer.from(secret, 'base64url'))
    .refine(({ length }) => length >= MIN_SECRET_BYTES),
  /** In seconds since 1970, once another credential has replaced it. */
  expires: z.number().default(Infinity),
})
const credentialsFile = z.object({ credentials: z.tuple([credential], credential) })

/** A credential of the gateway. */
export type Credential = z.infer<typeof credential>
/** The first credential signs, all of them verify, so that they can be rotated. */
export type Credentials = z.infer<typeof credentialsFile>['credentials']

/** Reads the credentials, when the file exists and again when it changes. Throws if it is malformed at the start. */
export async function watchCredentials(
  file: string,
  log: Log,
  onChange: (credentials: Credentials) => void,
): Promise<void> {
  if (!existsSync(file)) log.info({ file }, 'Waiting for the credentials of the gateway')
  while (!existsSync(file)) await sleep(RETRY_MS)
  const update = async () => onChange(await readCredentials(file))
  watchFile(file, { interval: POLL_MS, persistent: false }, () => {
    update()
      .then(() => log.info({ file }, 'Credentials changed'))
      .catch((error: unknown) => log.error({ err: error }, 'Could not read the changed credentials'))
  })
  await update()
}

/** The message of its error contains nothing from the file. */
async function readCredentials(file: string): Promise<Credentials> {
  const content = await json(createReadStream(file)).catch(() => undefined)
  const { data } = credentialsFile.safeParse(content)
  if (data === undefined) throw new Error(`${file} does not contain valid gateway credentials`)
  return data.credentials
}
