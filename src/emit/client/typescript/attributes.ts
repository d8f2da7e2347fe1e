import { counted, withArticle } from '../../../naming.ts'
import type { FilterParameter } from '../../../model/criteria.ts'
import { decimalBounds } from '../../../model/decimals.ts'
import { type Attribute, type AttributeType, assertNever } from '../../../model/platform.ts'
import { describeDefault } from '../../../model/type-description.ts'
import { wordUnion } from '../../typescript/attributes.ts'
import { docComment } from '../../typescript/doc-comments.ts'

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
      return wordUnion(type)
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

function typeNote(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
    case 'enum':
      return ''
    case 'string':
      return range(type.minLength === 0 ? undefined : type.minLength, type.maxLength, 'character')
    case 'int':
      return `An integer from ${type.jsonMin} to ${type.jsonMax}.`
    case 'float':
      return range(type.min, type.max)
    case 'decimal': {
      const { min, max } = decimalBounds(type)
      const digits = counted(type.scale, 'digit')
      return [`An exact decimal number with ${digits} after the point.`, range(min, max)].join(' ').trim()
    }
    case 'date':
      return 'A date in the format `YYYY-MM-DD`.'
    case 'time':
      return 'A time of day in the format `HH:MM:SS`, with up to six fractional digits.'
    case 'datetime':
      return 'A date and time with an offset (RFC 3339). Responses use UTC.'
    case 'data':
      return type.maxSize === undefined ? 'Base64.' : `Base64 of at most ${counted(type.maxSize, 'byte')}.`
    case 'reference':
      return `The id of ${withArticle(type.target.names.declared)}.`
    case 'sibling':
      return `The id of ${withArticle(type.target.declared)} under the same parent.`
    default:
      return assertNever(type)
  }
}

function range(min?: number | string, max?: number | string, unit?: string): string {
  const units = (count: number | string) =>
    unit === undefined ? String(count) : counted(Number(count), unit)
  if (min === undefined) return max === undefined ? '' : `At most ${units(max)}.`
  return max === undefined ? `At least ${units(min)}.` : `${min} to ${units(max)}.`
}
