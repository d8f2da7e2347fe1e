import { decimalText } from '../../model/decimals.ts'
import { type Attribute, type AttributeType, assertNever } from '../../model/platform.ts'
import type { Json } from '../../json.ts'

/** Returns the value that a `@server` or `@serverSet` attribute has until a hook sets it, unless that is `now`. */
export function zeroValue(attribute: Attribute): Json {
  const { type, optional, default: given } = attribute
  if (given?.kind === 'value') return given.value
  return optional ? null : zeroOf(type)
}

function zeroOf(type: AttributeType): Json {
  switch (type.kind) {
    case 'bool':
      return false
    case 'string':
    case 'data':
      return ''
    case 'int':
    case 'float':
      return 0
    case 'decimal':
      return decimalText(0n, type.scale)
    case 'enum':
      return type.values[0]
    case 'date':
      return '0001-01-01'
    case 'time':
      return '00:00:00'
    case 'datetime':
      return '0001-01-01T00:00:00Z'
    case 'reference':
    case 'sibling':
      return '00000000-0000-0000-0000-000000000000'
    default:
      return assertNever(type)
  }
}

/** Whether a type rejects its zero value, so that nothing can be stored until a hook sets another value. */
export function rejectsZeroValue({ type, optional, default: given }: Attribute): boolean {
  if (optional || given !== undefined) return false
  switch (type.kind) {
    case 'string':
      return type.minLength > 0
    case 'int':
      return type.min > 0n || type.max < 0n
    case 'float':
      return (type.min ?? 0) > 0 || (type.max ?? 0) < 0
    case 'decimal':
      return (type.min ?? 0n) > 0n || (type.max ?? 0n) < 0n
    case 'sibling':
      return true
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
    case 'data':
    case 'enum':
    case 'reference':
      return false
    default:
      return assertNever(type)
  }
}
