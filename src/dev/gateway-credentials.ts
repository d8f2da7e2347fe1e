import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomically } from './state-directory.ts'

/** An HS256 credential of the gateway: `id` is the `iss` of its tokens, `secret` 32 bytes in base64url. */
export interface Credential {
  readonly id: string
  readonly secret: string
}

/** The gateway's credentials: the first one signs, all verify. */
export interface GatewayCredentials {
  /** The file with the credentials, for services to read. */
  readonly file: string
  readonly credentials: readonly Credential[]
}

const CONSUMER = 'auth-service'

/**
 * Reads the gateway's credentials from the state directory, or creates them, in a file that only its owner can read.
 * The file may hold several, so that one can be rotated without ending all sessions.
 */
export async function gatewayCredentials(stateDirectory: string): Promise<GatewayCredentials> {
  const file = path.join(stateDirectory, 'gateway-credentials.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const stored = text === undefined ? undefined : parse(text)
  if (stored !== undefined) return { file, credentials: stored }
  const credentials = [{ id: randomUUID(), secret: randomBytes(32).toString('base64url') }]
  await writeFileAtomically(file, `${JSON.stringify({ consumer: CONSUMER, credentials })}\n`, 0o600)
  return { file, credentials }
}

/** Returns `undefined` for a file without credentials. It is replaced, which ends sessions only. */
function parse(text: string): Credential[] | undefined {
  try {
    const { credentials } = JSON.parse(text) as { credentials?: unknown }
    if (!Array.isArray(credentials) || credentials.length === 0) return undefined
    return credentials.every(isCredential) ? credentials : undefined
  } catch {
    return undefined
  }
}

function isCredential(value: unknown): value is Credential {
  if (typeof value !== 'object' || value === null) return false
  const { id, secret } = value as Partial<Record<keyof Credential, unknown>>
  return typeof id === 'string' && typeof secret === 'string' && Buffer.from(secret, 'base64url').length >= 32
}
