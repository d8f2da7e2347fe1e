import { docComment } from '../../codegen/doc-comments.ts'
import { enumUnionType } from '../../codegen/code-file.ts'
import type { FilterParameter } from '../../../model/criteria.ts'
import { type Attribute, type AttributeType, assertNever } from '../../../model/platform.ts'
import { describeDefault, typeNote } from '../../../model/type-description.ts'

/** The property of an attribute in the type of a response, with its documentation. */
export function responseProperty(attribute: Attribute): string {
  return `${commentOf(attribute)}  readonly ${attribute.names.declared}: ${valueType(attribute)}`
}

/** The same in the type of a request. */
export function requestProperty(attribute: Attribute): string {
  const mark = attribute.required ? '' : '?'
  return `${commentOf(attribute)}  readonly ${attribute.names.declared}${mark}: ${valueType(attribute)}`
}

function commentOf(attribute: Attribute): string {
  return docComment(documentationOf(attribute), 2)
}

function valueType({ type, optional }: Attribute): string {
  return `${jsonType(type)}${optional ? ' | null' : ''}`
}

/** The property of a filter in a client's types. */
export function filterProperty({ name, attribute, operator }: FilterParameter): string {
  const key = operator === 'eq' ? name : `'${name}'`
  const type = jsonType(attribute.type)
  if (operator === 'in') return `  readonly ${key}?: readonly ${type.includes('|') ? `(${type})` : type}[]`
  return `  readonly ${key}?: ${type}${attribute.optional && operator === 'eq' ? ' | null' : ''}`
}

/** The TypeScript type of an attribute's JSON value. */
function jsonType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'int':
    case 'float':
      return 'number'
    case 'enum':
      return enumUnionType(type)
    case 'string':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'data':
    case 'reference':
    case 'sibling':
      return 'string'
    default:
      return assertNever(type)
  }
}

function documentationOf(attribute: Attribute): string {
  const notes = [
    typeNote(attribute.type),
    attribute.unique ? 'Must be unique.' : '',
    attribute.inRequest && attribute.default !== undefined
      ? `Default: ${describeDefault(attribute.default)}.`
      : '',
  ]
  const note = notes.filter((part) => part !== '').join(' ')
  if (attribute.documentation === '') return note
  return note === '' ? attribute.documentation : `${attribute.documentation}\n${note}`
}
