import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether a signature, in hexadecimal digits, is that of the body. Without a secret, none is. */
export function isSigned(body: Uint8Array, signature = '', secret?: string): boolean {
  if (secret === undefined) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
