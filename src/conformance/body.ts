import type { Attribute } from '../model/platform.ts'
import type { Resource } from './resource.ts'
import type { Value } from './values/value.ts'

/** Values of the attributes in requests, by declared name, in the order of the definition. */
export type AttributeValues = ReadonlyMap<string, Value>

/** Returns the attributes in requests. */
export function requestAttributes(resource: Resource): Attribute[] {
  return resource.entity.attributes.filter(({ inRequest }) => inRequest)
}

/** Returns the attributes that requests must contain. */
export function requiredAttributes(resource: Resource): Attribute[] {
  return resource.entity.attributes.filter(({ required }) => required)
}

/** Returns the attributes in responses. */
export function responseAttributes(resource: Resource): Attribute[] {
  return resource.entity.attributes.filter(({ inResponse }) => inResponse)
}

/** Returns the request body with these values. */
export function bodyOf(values: AttributeValues): string {
  return objectText([...values].map(([name, { json }]) => [name, json] as const))
}

/** Returns the request body with these values, some of them replaced by JSON text or, with `undefined`, omitted. */
export function bodyWith(
  values: AttributeValues,
  members: Readonly<Record<string, string | undefined>>,
): string {
  const texts = new Map([...values].map(([name, { json }]) => [name, json] as const))
  for (const [name, text] of Object.entries(members)) {
    if (text === undefined) texts.delete(name)
    else texts.set(name, text)
  }
  return objectText(texts)
}

/** Returns the values with some of them replaced. */
export function withValues(
  values: AttributeValues,
  replaced: Iterable<readonly [string, Value]>,
): AttributeValues {
  return new Map([...values, ...replaced])
}

/** Returns the JSON text of an object from the JSON texts of its values, which keeps all digits of numbers. */
export function objectText(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}
