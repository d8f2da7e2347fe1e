import { counted, withArticle } from '../../../model/names.ts'
import { type Attribute, type AttributeType, assertNever } from '../../../model/platform.ts'
import { docComment } from '../../typescript/documentation.ts'

/** The property of an attribute in a client's types, with all that is known of it. */
export function property(attribute: Attribute): string {
  const comment = docComment(documentationOf(attribute), 2)
  return `${comment}  readonly ${attribute.names.declared}: ${jsonType(attribute.type)}`
}

/** The type of a value as JSON carries it. */
function jsonType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'int':
    case 'float':
      return 'number'
    case 'string':
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
  const notes = [typeNote(attribute.type), attribute.unique ? 'No two have the same.' : '']
  const note = notes.filter((part) => part !== '').join(' ')
  if (attribute.documentation === '') return note
  return note === '' ? attribute.documentation : `${attribute.documentation}\n${note}`
}

function typeNote(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return ''
    case 'string':
      return range(type.minLength === 0 ? undefined : type.minLength, type.maxLength, 'character')
    case 'int':
      return `An integer, ${type.jsonMin} to ${type.jsonMax}.`
    case 'float':
      return range(type.min, type.max)
    case 'date':
      return 'A date, `YYYY-MM-DD`.'
    case 'time':
      return 'A time of the day, `HH:MM:SS` with up to six digits of a fraction.'
    case 'datetime':
      return 'A date and time with an offset (RFC 3339), answered in UTC.'
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

function range(min: number | undefined, max: number | undefined, unit?: string): string {
  const units = (count: number) => (unit === undefined ? String(count) : counted(count, unit))
  if (min === undefined) return max === undefined ? '' : `At most ${units(max)}.`
  return max === undefined ? `At least ${units(min)}.` : `${min} to ${units(max)}.`
}
