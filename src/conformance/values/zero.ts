import { type Attribute, assertNever } from '../../model/platform.ts'
import type { Json } from '../json.ts'

/** What a `@server` or `@serverSet` attribute holds until a hook sets it, as answers show it. */
export function zeroOf({ type }: Attribute): Json {
  switch (type.kind) {
    case 'bool':
      return false
    case 'string':
    case 'data':
      return ''
    case 'int':
    case 'float':
      return 0
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

/** Whether the type refuses its own zero value, so that nothing can be stored until a hook sets another. */
export function refusesZero({ type }: Attribute): boolean {
  switch (type.kind) {
    case 'string':
      return type.minLength > 0
    case 'int':
      return type.min > 0n || type.max < 0n
    case 'float':
      return (type.min ?? 0) > 0 || (type.max ?? 0) < 0
    case 'sibling':
      return true
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
    case 'data':
    case 'reference':
      return false
    default:
      return assertNever(type)
  }
}
