import { decimalText } from '../../model/decimals.ts'
import { type Attribute, type AttributeType, assertNever, type DefaultValue } from '../../model/platform.ts'
import { type CodeFile, stringLiteral } from '../codegen/code-file.ts'

/** The expression of the value that an attribute has until a hook sets it. */
export function initialValue(file: CodeFile, { type, optional, default: given }: Attribute): string {
  if (given !== undefined) return defaultExpression(type, given)
  return optional ? 'null' : zeroValue(file, type)
}

/** The expression of an attribute's default. Times are those of UTC. */
export function defaultExpression(type: AttributeType, given: DefaultValue): string {
  if (given.kind === 'now') return `new Date().toISOString()${NOW_PARTS[type.kind] ?? ''}`
  return typeof given.value === 'string' ? stringLiteral(given.value) : String(given.value)
}

/** The parts of an ISO time in UTC. */
const NOW_PARTS: Readonly<Partial<Record<AttributeType['kind'], string>>> = {
  date: '.slice(0, 10)',
  time: '.slice(11, 23)',
}

function zeroValue(file: CodeFile, type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'false'
    case 'int':
    case 'float':
      return '0'
    case 'decimal':
      return `'${decimalText(0n, type.scale)}'`
    case 'string':
      return "''"
    case 'date':
      return "'0001-01-01'"
    case 'time':
      return "'00:00:00'"
    case 'datetime':
      return "'0001-01-01T00:00:00Z'"
    case 'data':
      return 'Buffer.alloc(0)'
    case 'enum':
      return `'${type.values[0]}'`
    case 'reference':
    case 'sibling':
      return file.value('#lib/values.ts', 'NIL_UUID')
    default:
      return assertNever(type)
  }
}
