import type { Definition, DefinitionText } from './definition.ts'

// The definition in the address of the page, after `#`, which browsers never send: JSON, deflated, in base64url.

/** A small address could inflate to gigabytes. */
const MAX_CHARACTERS = 500_000

/** Returns a definition as text for an address. */
export async function encode(definition: Definition): Promise<string> {
  const deflated = new Blob([JSON.stringify(definition)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer())
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Returns the definition of such a text; `undefined` if it is none, or too large. */
export async function decode(code: string): Promise<Definition | undefined> {
  try {
    const bytes = Uint8Array.fromBase64(code, { alphabet: 'base64url' })
    const inflated = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream())
    let json = ''
    for await (const part of inflated) {
      json += part
      if (json.length > MAX_CHARACTERS) return undefined
    }
    const files: unknown = JSON.parse(json)
    return isDefinition(files) ? files : undefined
  } catch {
    return undefined
  }
}

function isDefinition(value: unknown): value is Definition {
  return Array.isArray(value) && value.length > 0 && value.every(isText)
}

function isText(value: unknown): value is DefinitionText {
  const file = Object(value) as Partial<Record<keyof DefinitionText, unknown>>
  return typeof file.path === 'string' && typeof file.text === 'string'
}
