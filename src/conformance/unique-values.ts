import type { Attribute } from '../model/platform.ts'
import { SkipError } from './exchange.ts'
import type { Resource } from './resource.ts'
import { nthValue, type ScalarType, randomValue, valueCount } from './values/sample.ts'
import type { Value } from './values/value.ts'

/** How many random values of a large range to try. */
const DRAWS = 50

/** The values of `@unique` attributes in use by this run, so that no two checks use the same one. */
export class UniqueValues {
  readonly #taken = new Map<string, Set<string>>()

  /** Reserves an unused value. Throws `SkipError` if all values of a small range are in use. */
  take(resource: Resource, attribute: Attribute, type: ScalarType): Value {
    const taken = this.#of(resource, attribute)
    for (const value of candidates(type)) {
      const key = keyOf(value)
      if (taken.has(key)) continue
      taken.add(key)
      return value
    }
    throw new SkipError(
      `all values of the @unique \`${attribute.names.declared}\` of ${resource.label} are in use`,
    )
  }

  /** Reserves this value. Returns false if another check uses it. */
  reserve(resource: Resource, attribute: Attribute, value: Value): boolean {
    const taken = this.#of(resource, attribute)
    const key = keyOf(value)
    if (taken.has(key)) return false
    taken.add(key)
    return true
  }

  /** Releases a value. */
  free(resource: Resource, attribute: Attribute, value: Value): void {
    this.#of(resource, attribute).delete(keyOf(value))
  }

  #of(resource: Resource, attribute: Attribute): Set<string> {
    const key = `${resource.label}.${attribute.names.declared}`
    const taken = this.#taken.get(key) ?? new Set<string>()
    this.#taken.set(key, taken)
    return taken
  }
}

function keyOf(value: Value): string {
  return JSON.stringify(value.expected)
}

/** Generates all values of a small range from a random start, or random values of a large range. */
function* candidates(type: ScalarType): Generator<Value> {
  const size = valueCount(type)
  if (size === Number.POSITIVE_INFINITY) {
    for (let draw = 0; draw < DRAWS; draw++) yield randomValue(type)
    return
  }
  const start = Math.floor(Math.random() * size)
  for (let index = 0; index < size; index++) yield nthValue(type, (start + index) % size)
}
