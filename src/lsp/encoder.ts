import type { Message, MessageWriterOptions } from 'vscode-languageserver/node'

/** The JSON of elements of results; empty until it is needed. */
const texts = new WeakMap<object, string>()

/** Has an element of results serialized only once. It must not change afterwards. */
export function serializedOnce<Element extends object>(element: Element): Element {
  texts.set(element, '')
  return element
}

/** Encodes messages as the protocol's library does, but serializes elements that stay the same only once. */
export const ENCODER: NonNullable<MessageWriterOptions['contentTypeEncoder']> = {
  name: 'application/json',
  encode: async (message) => Buffer.from(textOf(message)),
}

function textOf(message: Message & { readonly result?: unknown }): string {
  const { result, ...others } = message
  if (!isOfKnownElements(result)) return JSON.stringify(message)
  return `${JSON.stringify(others).slice(0, -1)},"result":[${result.map(elementText).join(',')}]}`
}

function isOfKnownElements(result: unknown): result is readonly object[] {
  return Array.isArray(result) && result.length > 0 && result.every((element) => texts.has(element as object))
}

function elementText(element: object): string {
  const known = texts.get(element)
  if (known) return known
  const text = JSON.stringify(element)
  texts.set(element, text)
  return text
}
