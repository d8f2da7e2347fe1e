import type { Attribute } from '../model/platform.ts'
import { SkipError } from './exchange.ts'
import type { Place } from './place.ts'
import { nthValue, type OwnType, randomValue, sizeOf } from './values/sample.ts'
import type { Value } from './values/value.ts'

/** Attempts to draw an unused value of a large range before it counts as used up. */
const DRAWS = 50

/** The values of `@unique` attributes that this run holds, so that no two checks want the same one. */
export class UniqueValues {
  readonly #taken = new Map<string, Set<string>>()

  /** A value that nobody holds. Throws a `SkipError` where all of a small range are held. */
  take(place: Place, attribute: Attribute, type: OwnType): Value {
    const taken = this.#of(place, attribute)
    for (const value of candidates(type)) {
      const key = keyOf(value)
      if (taken.has(key)) continue
      taken.add(key)
      return value
    }
    throw new SkipError(
      `all values of the @unique \`${attribute.names.declared}\` of ${place.label} are in use`,
    )
  }

  /** Takes this value for the caller; `false` where another check holds it. */
  claim(place: Place, attribute: Attribute, value: Value): boolean {
    const taken = this.#of(place, attribute)
    const key = keyOf(value)
    if (taken.has(key)) return false
    taken.add(key)
    return true
  }

  /** Gives a value back. */
  free(place: Place, attribute: Attribute, value: Value): void {
    this.#of(place, attribute).delete(keyOf(value))
  }

  #of(place: Place, attribute: Attribute): Set<string> {
    const key = `${place.label}.${attribute.names.declared}`
    const taken = this.#taken.get(key) ?? new Set<string>()
    this.#taken.set(key, taken)
    return taken
  }
}

function keyOf(value: Value): string {
  return JSON.stringify(value.answered)
}

/** All values of a small range from a random start, else draws of a large one. */
function* candidates(type: OwnType): Generator<Value> {
  const size = sizeOf(type)
  if (size === Number.POSITIVE_INFINITY) {
    for (let draw = 0; draw < DRAWS; draw++) yield randomValue(type)
    return
  }
  const start = Math.floor(Math.random() * size)
  for (let index = 0; index < size; index++) yield nthValue(type, (start + index) % size)
}
