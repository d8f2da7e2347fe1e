import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { unauthorized } from './errors.ts'

/** Where the keys of calls between services are, each in a file such as `home.auth.key`. */
export const keysDirectory = z.string().default('/run/secrets')

/** A service that calls another one for itself, and not for a user. */
interface Edge {
  /** The value of `keysDirectory`. */
  readonly keys: string
  readonly caller: string
  readonly callee: string
}

const LIFETIME_S = 60
/** How far the clock of the caller may be ahead, in seconds. */
const TOLERANCE_S = 5
const TYPE = 'service+jwt'
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** A key for HS256, of 32 bytes. */
const key = z
  .base64url()
  .length(43)
  .transform((text) => Buffer.from(text, 'base64url'))
/** One key per line. The first one signs, all of them verify, so that they can be rotated. */
const keysFile = z
  .string()
  .transform((text) => text.trim().split('\n'))
  .pipe(z.tuple([key], key))

/** Read each time, so that a rotated key is used at once. Throws without a valid file. */
async function readKeys({ keys, caller, callee }: Edge) {
  const file = path.join(keys, `${caller}.${callee}.key`)
  const { data } = keysFile.safeParse(await readFile(file, 'utf8'))
  // Without anything from the file, because it would be logged.
  if (data === undefined) throw new Error(`${file} does not contain valid keys`)
  return data
}

/** Returns a token that proves to the callee, and to nobody else, who calls. It has no `id`, so it is never a user's. */
export async function signCall(edge: Edge): Promise<string> {
  const [newest] = await readKeys(edge)
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: TYPE })
    .setIssuer(edge.caller)
    .setAudience(edge.callee)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_S}s`)
    .sign(newest)
}

/** Rejects requests that are not from one of these services. */
export function requireService(keys: string, callee: string, callers: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1]
    const caller = token === undefined ? undefined : callers.find((name) => name === issuerOf(token))
    if (token === undefined || caller === undefined) throw unauthorized()
    const expected = {
      issuer: caller,
      audience: callee,
      maxTokenAge: LIFETIME_S,
      clockTolerance: TOLERANCE_S,
    }
    const options = { ...expected, algorithms: ['HS256'], typ: TYPE, requiredClaims: ['exp'] }
    const all = await readKeys({ keys, caller, callee })
    const results = await Promise.allSettled(all.map((each) => jwtVerify(token, each, options)))
    if (!results.some(({ status }) => status === 'fulfilled')) throw unauthorized()
    await next()
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}
