const CHUNK_BYTES = 0x8000

/** Bytes as attributes of the type `data` carry them. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return btoa(text)
}

/** The bytes of an attribute of the type `data`. Throws where the text is no base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
