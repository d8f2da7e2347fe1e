import type { AttributeType } from '../../model/platform.ts'
import type { Json } from '../json.ts'

/** One value of an attribute: its JSON text as a request carries it, and what answers must show for it. */
export interface Value {
  readonly json: string
  readonly answered: Json
}

/** A value that a sentence of the specification is about: `exactly 80 characters`. */
export interface Case extends Value {
  readonly what: string
}

/** A JSON text that an attribute must refuse with 400, and why. */
export interface Refusal {
  readonly what: string
  readonly json: string
}

/** A value that is answered as it is sent. */
export function plain(answered: Json): Value {
  return { json: JSON.stringify(answered), answered }
}

/** Whether an answer shows the value that it has to: floats after rounding to their column's precision. */
export function shows(type: AttributeType, actual: Json | undefined, expected: Json): boolean {
  if (type.kind === 'float' && typeof actual === 'number' && typeof expected === 'number') {
    if (Object.is(actual, -0)) return false
    return type.column === 'real' ? Math.fround(actual) === Math.fround(expected) : actual === expected
  }
  return typeof actual === typeof expected && Object.is(actual, expected)
}
