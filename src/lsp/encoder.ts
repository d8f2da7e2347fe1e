import type { Message, MessageWriterOptions } from 'vscode-languageserver'

/** The JSON of elements of results. */
const texts = new WeakMap<object, Uint8Array>()

/** An element of a result as JSON, which must not change afterwards. Only the encoder below can read it. */
export function serialized(json: Uint8Array): object {
  const element = {}
  texts.set(element, json)
  return element
}

/** Encodes messages as the protocol's library does, but copies elements whose JSON is known. */
export const ENCODER: NonNullable<MessageWriterOptions['contentTypeEncoder']> = {
  name: 'application/json',
  encode: async (message) => encoded(message),
}

function encoded(message: Message & { readonly result?: unknown }): Uint8Array {
  const { result, ...others } = message
  const elements = Array.isArray(result) ? result.map((element: object) => texts.get(element)) : []
  if (elements.length === 0) return Buffer.from(JSON.stringify(message))
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(others).slice(0, -1)},"result":[`)]
  for (const [index, json] of elements.entries()) {
    if (json === undefined) return Buffer.from(JSON.stringify(message))
    if (index > 0) parts.push(COMMA)
    parts.push(json)
  }
  return Buffer.concat([...parts, END])
}

const COMMA = new TextEncoder().encode(',')
const END = new TextEncoder().encode(']}')
