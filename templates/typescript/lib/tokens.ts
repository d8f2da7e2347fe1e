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
type Identity = Pick<Caller, 'id' | 'token'> & Partial<Caller>

/** Verifies an `Authorization` header. Returns `undefined` without a valid token. */
export type Identify = (authorization?: string) => Promise<Identity | undefined>

const roles = z.array(z.string()).default([])
const claims = z.object({ id: uuid, iat: z.number(), exp: z.number(), roles })

/** RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
/** How far the clock of the issuer may be ahead, in seconds. */
const ISSUE_TOLERANCE_S = 5
/** Verifying a signature takes longer than the rest of many requests. */
const MAX_REMEMBERED_TOKENS = 10_000

/** Creates the check of tokens. The credentials are read from the file, again when it changes. */
export async function createIdentify(file: string, log: Log): Promise<Identify> {
  const credentials = await watchCredentials(file, log)
  const remembered = new Map<string, { caller: Caller; issuer: Credentials[number]; expires: number }>()

  async function verify(token: string) {
    const { iss } = decodeJwt(token)
    const issuer = credentials().find(({ id }) => id === iss)
    if (issuer === undefined) return undefined
    const { payload } = await jwtVerify(token, issuer.secret, { algorithms: ['HS256'] })
    const { iat, exp, ...identity } = claims.parse(payload)
    if (iat > now() + ISSUE_TOLERANCE_S) return undefined
    const verified = { caller: { ...identity, token }, issuer, expires: Math.min(exp, issuer.expires) }
    if (remembered.size >= MAX_REMEMBERED_TOKENS) remembered.clear()
    remembered.set(token, verified)
    return verified
  }

  return async (authorization = '') => {
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined) return undefined
    let known = remembered.get(token)
    // All invalid tokens get the same response, and none is logged.
    if (known === undefined || !credentials().includes(known.issuer))
      known = await verify(token).catch(() => undefined)
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
/** How long the file may be missing at the start. */
const MISSING_MS = 2000
const RETRY_MS = 200

const credential = z.object({
  /** The `iss` of its tokens. */
  id: z.string(),
  /** The key for HS256, which must be at least as long as the hash (RFC 7518, section 3.2). */
  secret: z
    .base64url()
    .transform((secret) => Buffer.from(secret, 'base64url'))
    .refine(({ length }) => length >= 32),
  /** In seconds since 1970, once another credential has replaced it. */
  expires: z.number().default(Infinity),
})
const credentialsFile = z.object({ credentials: z.tuple([credential], credential) })

/** The credentials of the gateway. The first one signs, all of them verify, so that they can be rotated. */
type Credentials = z.infer<typeof credentialsFile>['credentials']

/** Reads the credentials, and again when they change. Throws if the file is missing or malformed at the start. */
export async function watchCredentials(file: string, log: Log): Promise<() => Credentials> {
  const latest = performance.now() + MISSING_MS
  while (!existsSync(file)) {
    if (performance.now() > latest)
      throw new Error(`${file}, which has the credentials of the gateway, does not exist`)
    await sleep(RETRY_MS)
  }
  let credentials: Credentials
  const update = async () => {
    const content = await json(createReadStream(file)).catch(() => undefined)
    const { data } = credentialsFile.safeParse(content)
    // Without anything from the file, because it would be logged.
    if (data === undefined) throw new Error(`${file} does not contain valid gateway credentials`)
    credentials = data.credentials
  }
  watchFile(file, { interval: POLL_MS, persistent: false }, () => {
    update()
      .then(() => log.info({ file }, 'Credentials changed'))
      .catch((error: unknown) => log.error({ err: error }, 'Could not read the changed credentials'))
  })
  await update()
  return () => credentials
}
