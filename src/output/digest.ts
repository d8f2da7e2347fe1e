import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/**
 * SHA-256 of a file in lower-case hexadecimal, with every CRLF counted as LF: version control may convert line
 * ends on checkout, and that is no edit.
 */
export function digest(content: string | Uint8Array): string {
  if (typeof content === 'string') return hash('sha256', content.replaceAll('\r\n', '\n'), 'hex')
  return hash('sha256', content.includes(CARRIAGE_RETURN) ? withLineFeeds(content) : content, 'hex')
}

/** SHA-256 of exactly these bytes, in lower-case hexadecimal. */
export function exactDigest(content: Uint8Array): string {
  return hash('sha256', content, 'hex')
}

function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const kept = Buffer.alloc(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] === CARRIAGE_RETURN && bytes[index + 1] === LINE_FEED) continue
    kept[length++] = bytes[index] ?? 0
  }
  return kept.subarray(0, length)
}
