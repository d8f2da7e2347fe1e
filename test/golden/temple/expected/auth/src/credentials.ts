import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** An HS256 credential of the gateway's consumer: what signs and verifies tokens. */
export interface Credential {
  /** The `iss` of its tokens. */
  readonly id: string
  /** The HMAC key: not extractable, so that it cannot end in a log. */
  readonly key: CryptoKey
  /** When its tokens stop being valid, in seconds since 1970: set once another credential has taken its place. */
  readonly expires: number
}

/** At least one. The first one signs, all of them verify, so that they can be rotated. */
export type Credentials = readonly [Credential, ...Credential[]]

/** What keys may do: only the authentication service issues tokens. */
export type KeyUse = 'verify' | 'sign and verify'

const RETRY_MS = 200
const RETRIES_PER_LOG_LINE = 25
/** RFC 7518, section 3.2: a key of the size of the hash or larger. */
const MIN_SECRET_BYTES = 32

/**
 * Reads the credentials that deployment made, once, waiting until the file is there. `use` says what the keys
 * may do. Throws an error without the file's content when it is not in the expected form, or when the signal
 * is aborted.
 */
export async function readCredentials(
  file: string,
  use: KeyUse,
  log: Log,
  signal?: AbortSignal,
): Promise<Credentials> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new Error(`Cannot read ${file}: ${error.code}`)
      return undefined
    })
    if (text !== undefined) return parse(text, file, use)
    if (attempt % RETRIES_PER_LOG_LINE === 0) log.info("Waiting for the gateway's credentials", { file })
    await sleep(RETRY_MS)
  }
}

async function parse(text: string, file: string, use: KeyUse): Promise<Credentials> {
  const [first, ...others] = await Promise.all(entriesOf(text).map((entry) => credentialOf(entry, file, use)))
  if (first === undefined) throw malformed(file)
  return [first, ...others]
}

function entriesOf(text: string): readonly unknown[] {
  try {
    const content = JSON.parse(text) as { credentials?: unknown } | null
    return Array.isArray(content?.credentials) ? content.credentials : []
  } catch {
    return []
  }
}

async function credentialOf(entry: unknown, file: string, use: KeyUse): Promise<Credential> {
  const {
    id,
    secret,
    expires = Number.POSITIVE_INFINITY,
  } = (entry ?? {}) as { id?: unknown; secret?: unknown; expires?: unknown }
  if (typeof id !== 'string' || typeof secret !== 'string' || typeof expires !== 'number')
    throw malformed(file)
  const bytes = Buffer.from(secret, 'base64url')
  if (bytes.length < MIN_SECRET_BYTES) throw malformed(file)
  const usages: ('sign' | 'verify')[] = use === 'verify' ? ['verify'] : ['sign', 'verify']
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, usages)
  return { id, key, expires }
}

function malformed(file: string): Error {
  return new Error(`${file} does not hold the gateway's credentials`)
}
