const CHUNK_BYTES = 0x8000

/** Encodes bytes for an attribute of the type `data`. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return btoa(text)
}

/** Decodes the bytes of an attribute of the type `data`. Throws if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
