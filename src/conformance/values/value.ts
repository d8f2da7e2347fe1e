import type { AttributeType } from '../../model/platform.ts'
import type { Json } from '../../json.ts'

/** A value of an attribute: its JSON text in requests, and the value expected in responses. */
export interface Value {
  readonly json: string
  readonly expected: Json
}

/** A value with a description: `exactly 80 characters`. */
export interface ValidValue extends Value {
  readonly description: string
}

/** JSON text that an attribute must reject with 400. */
export interface InvalidValue {
  readonly description: string
  readonly json: string
}

/** Returns a value that responses show as it is sent. */
export function echoedValue(expected: Json): Value {
  return { json: JSON.stringify(expected), expected }
}

/** Whether a response shows the expected value. Floats may be rounded to the precision of their column. */
export function matchesValue(type: AttributeType, actual: Json | undefined, expected: Json): boolean {
  if (type.kind === 'float' && typeof actual === 'number' && typeof expected === 'number') {
    if (Object.is(actual, -0)) return false
    return type.column === 'real' ? Math.fround(actual) === Math.fround(expected) : actual === expected
  }
  return typeof actual === typeof expected && Object.is(actual, expected)
}
