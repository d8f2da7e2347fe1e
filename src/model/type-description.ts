import { counted, listed, withArticle } from '../naming.ts'
import { decimalBounds } from './decimals.ts'
import {
  type Attribute,
  type AttributeType,
  assertNever,
  type DefaultValue,
  type Transitions,
} from './platform.ts'

/** Describes the JSON value of an attribute in a few words: `integer, 1 to 40`. */
export function describeType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'string':
      return `string${boundsText(type.minLength || undefined, type.maxLength, 'character')}`
    case 'int':
      return `integer${boundsText(type.jsonMin, type.jsonMax)}`
    case 'float':
      return `number${boundsText(type.min, type.max)}`
    case 'decimal': {
      const { min, max } = decimalBounds(type)
      return `decimal with ${counted(type.scale, 'digit')} after the point${boundsText(min, max)}`
    }
    case 'date':
      return 'date, `YYYY-MM-DD`'
    case 'time':
      return 'time, `HH:MM:SS[.ffffff]`'
    case 'datetime':
      return 'date and time, RFC 3339'
    case 'data':
      return `base64${boundsText(undefined, type.maxSize, 'byte')}`
    case 'enum':
      return `one of ${type.values.map((value) => `\`${value}\``).join(', ')}`
    case 'reference':
      return `id of ${withArticle(type.target.names.declared)}`
    case 'sibling':
      return `id of ${withArticle(type.target.declared)} under the same parent`
    default:
      return assertNever(type)
  }
}

/** Describes the JSON value of an attribute in sentences, without what its type in JSON and an enum's list of values say. */
export function typeNote(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return ''
    case 'enum':
      return type.transitions === undefined ? '' : transitionsNote(type.transitions)
    case 'string':
      return boundsNote(type.minLength || undefined, type.maxLength, 'character')
    case 'int':
      return `An integer from ${type.jsonMin} to ${type.jsonMax}.`
    case 'float':
      return boundsNote(type.min, type.max)
    case 'decimal':
      return `An exact ${describeType(type)}.`
    case 'date':
      return 'A date in the format `YYYY-MM-DD`.'
    case 'time':
      return 'A time of day in the format `HH:MM:SS`, with up to six fractional digits.'
    case 'datetime':
      return 'A date and time with an offset (RFC 3339), in the years 0001 to 9999. Responses use UTC.'
    case 'data':
      return type.maxSize === undefined
        ? 'Padded base64.'
        : `Padded base64 of at most ${counted(type.maxSize, 'byte')}.`
    case 'reference':
    case 'sibling':
      return `The ${describeType(type)}.`
    default:
      return assertNever(type)
  }
}

/** The documentation of an attribute, with how its value can change. */
export function documentationWithTransitions({ documentation, type }: Attribute): string {
  if (type.kind !== 'enum' || type.transitions === undefined) return documentation
  return [documentation, transitionsNote(type.transitions)].filter((part) => part !== '').join('\n\n')
}

/** Says in sentences how the value of an `enum` can change. */
export function transitionsNote({ initial, next }: Transitions): string {
  const changes = next
    .filter(([, to]) => to.length > 0)
    .map(([from, to]) => `\`${from}\` can become ${listed(to, 'or')}.`)
  const final = next.filter(([, to]) => to.length === 0).map(([value]) => value)
  const ends =
    final.length === 0 ? [] : [`${listed(final, 'and')} ${final.length === 1 ? 'is' : 'are'} final.`]
  return [`A new entity has \`${initial}\`.`, ...changes, ...ends].join(' ')
}

/** Says whether requests contain an attribute: `optional, default: \`3\``. */
export function describeRequestUse({ inRequest, required, default: given }: Attribute): string {
  if (!inRequest) return 'no'
  if (given === undefined) return required ? 'required' : 'optional'
  return `optional, default: ${describeDefault(given)}`
}

/** Describes a default in a few words: `` `3` ``. */
export function describeDefault(given: DefaultValue): string {
  return given.kind === 'now' ? 'the time of the request' : `\`${jsonText(given.value)}\``
}

/** JSON without the characters that would end a code span or a line, or control a terminal or the direction of text. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[`\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function boundsText(min?: number | string, max?: number | string, unit?: string): string {
  const bounds = rangeText(min, max, unit)
  return bounds === '' ? '' : `, ${bounds}`
}

function boundsNote(min?: number, max?: number, unit?: string): string {
  const bounds = rangeText(min, max, unit)
  return bounds === '' ? '' : `${bounds.charAt(0).toUpperCase()}${bounds.slice(1)}.`
}

function rangeText(min?: number | string, max?: number | string, unit?: string): string {
  const units = (count: number | string) =>
    unit === undefined ? String(count) : counted(Number(count), unit)
  if (min === undefined) return max === undefined ? '' : `at most ${units(max)}`
  if (max === undefined) return `at least ${units(min)}`
  return min === max ? `exactly ${units(max)}` : `${min} to ${units(max)}`
}
