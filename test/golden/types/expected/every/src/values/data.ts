import { invalidParameter } from '../errors.ts'
import type { JsonObject } from '../json.ts'

/** At most `maxSize` bytes from canonical base64: standard alphabet, padded (RFC 4648, section 4). */
export function readData(body: JsonObject, name: string, maxSize = Infinity): Uint8Array {
  const value = body.get(name)
  if (typeof value !== 'string') throw invalidParameter(name, 'must be a base64 string')
  const bytes = Buffer.from(value, 'base64')
  // Buffer reads over what is not base64; only what it writes again unchanged is canonical.
  if (bytes.toString('base64') !== value) throw invalidParameter(name, 'must be padded, canonical base64')
  if (bytes.length > maxSize) {
    throw invalidParameter(name, `must have at most ${maxSize} ${maxSize === 1 ? 'byte' : 'bytes'}`)
  }
  return bytes
}

/** Bytes as JSON carries them. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
