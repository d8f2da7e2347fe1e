import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The SHA-256 of a text, as 64 hex digits. Not `node:crypto`, so that the stages also run in a page. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)))
}
