import { DECIMAL_DIGITS } from '../../limits.ts'
import { type AttributeType, assertNever, type DecimalType } from '../../model/platform.ts'
import { describeType } from '../../model/type-description.ts'

/** What the services and structs of the older definition are called in the newer one; `undefined` if removed. */
export type NewNames = ReadonlyMap<string, string | undefined>

/** Whether two types are the same kind of value, bounds aside. An id of something else is another kind. */
export function isSameKind(older: AttributeType, newer: AttributeType, newNames: NewNames): boolean {
  const [before, after] = [targetOf(older), targetOf(newer)]
  return (
    (older.kind === newer.kind || (isText(older) && isText(newer))) &&
    (before === undefined || newNames.get(before) === after)
  )
}

/** Whether every value of `narrower` is a value of `wider`. Both are the same kind of value. */
export function includes(wider: AttributeType, narrower: AttributeType): boolean {
  // A `real` holds fewer numbers than a `double precision` with the same bounds.
  if (isReal(wider) && !isReal(narrower)) return false
  if (wider.kind === 'decimal' && narrower.kind === 'decimal') return includesDecimals(wider, narrower)
  if (wider.kind === 'enum')
    return narrower.kind === 'enum' && narrower.values.every((value) => wider.values.includes(value))
  const [min, max] = range(wider)
  const [narrowerMin, narrowerMax] = range(narrower)
  return min <= narrowerMin && max >= narrowerMax
}

function includesDecimals(wider: DecimalType, narrower: DecimalType): boolean {
  if (wider.scale < narrower.scale) return false
  const factor = 10n ** BigInt(wider.scale - narrower.scale)
  const limit = 10n ** BigInt(DECIMAL_DIGITS) - 1n
  return (
    (narrower.min ?? -limit) * factor >= (wider.min ?? -limit * factor) &&
    (narrower.max ?? limit) * factor <= (wider.max ?? limit * factor)
  )
}

/** Describes a type in comparison with another: `number, at least 0, single precision`. */
export function describeBounds(type: AttributeType): string {
  return `${describeType(type)}${isReal(type) ? ', single precision' : ''}`
}

/** The declared name of what ids refer to. */
function targetOf(type: AttributeType): string | undefined {
  if (type.kind === 'reference') return type.target.names.declared
  return type.kind === 'sibling' ? type.target.declared : undefined
}

/** The values of an `enum` are strings. */
function isText({ kind }: AttributeType): boolean {
  return kind === 'string' || kind === 'enum'
}

function isReal(type: AttributeType): boolean {
  return type.kind === 'float' && type.column === 'real'
}

/** The inclusive bounds of a type's values, or of their lengths. */
function range(type: AttributeType): readonly [min: number, max: number] {
  switch (type.kind) {
    case 'int':
      return [type.jsonMin, type.jsonMax]
    case 'float':
      return [type.min ?? -Infinity, type.max ?? Infinity]
    case 'string':
      return [type.minLength, type.maxLength ?? Infinity]
    case 'data':
      return [0, type.maxSize ?? Infinity]
    case 'enum': {
      const lengths = type.values.map((value) => value.length)
      return [Math.min(...lengths), Math.max(...lengths)]
    }
    case 'bool':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'reference':
    case 'sibling':
      return [0, Infinity]
    default:
      return assertNever(type)
  }
}
