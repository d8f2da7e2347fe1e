import type { Attribute } from '../model/platform.ts'
import { objectText } from './json.ts'
import type { Place } from './place.ts'
import type { Value } from './values/value.ts'

/** The values of an entity's client-supplied attributes, by declared name, in the order of the definition. */
export type Values = ReadonlyMap<string, Value>

/** The attributes that clients have to send. */
export function requestedOf(place: Place): Attribute[] {
  return place.entity.attributes.filter(({ requested }) => requested)
}

/** The attributes that answers show. */
export function answeredOf(place: Place): Attribute[] {
  return place.entity.attributes.filter(({ answered }) => answered)
}

/** The body that sends these values. */
export function bodyOf(values: Values): string {
  return objectText([...values].map(([name, { json }]) => [name, json] as const))
}

/** The body that sends these values, some members replaced by other JSON texts or, with `undefined`, left out. */
export function bodyWith(values: Values, members: Readonly<Record<string, string | undefined>>): string {
  const texts = new Map([...values].map(([name, { json }]) => [name, json] as const))
  for (const [name, text] of Object.entries(members)) {
    if (text === undefined) texts.delete(name)
    else texts.set(name, text)
  }
  return objectText(texts)
}

/** The values with some of them replaced. */
export function withValues(values: Values, replaced: Iterable<readonly [string, Value]>): Values {
  return new Map([...values, ...replaced])
}
