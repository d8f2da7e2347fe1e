import { counted } from '../../model/names.ts'
import { boundsCheck, columnType } from '../../model/columns.ts'
import { type Attribute as ResolvedAttribute, assertNever } from '../../model/platform.ts'
import { resolveAttribute } from '../../model/resolve-attribute.ts'
import { readType } from '../calls.ts'
import { documentationOf } from '../documentation.ts'
import type { Attribute } from '../generated/ast.ts'
import { isBroken, spanOf } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import { MAX_PRECISION, MIN_PRECISION, typeNamed } from '../vocabulary.ts'
import { integerArgument } from '../calls.ts'
import { fenced } from './block-markdown.ts'

/** An attribute as Markdown: how it is declared, its documentation, and what clients and the database see of it. */
export function attributeMarkdown(read: Read, attribute: Attribute): string {
  const { start, end } = spanOf(attribute)
  const documentation = documentationOf(attribute)
  const parts = [fenced(read.tree.text.slice(start, end).replace(/\s+/g, ' '))]
  if (documentation !== '') parts.push(documentation)
  const resolved = resolvedAttribute(attribute)
  if (resolved !== undefined)
    parts.push([jsonLine(resolved, attribute), columnLine(resolved), visibilityLine(resolved)].join('\n'))
  return parts.join('\n\n')
}

/** What the model makes of an attribute; `undefined` where its text is not whole, or it has no type that there is. */
function resolvedAttribute(attribute: Attribute): ResolvedAttribute | undefined {
  const holder = attribute.$container
  const { ref, $refText } = attribute.type.target
  if (holder.$type !== 'Block' || isBroken(attribute)) return undefined
  if (typeNamed($refText) === undefined && ref === undefined) return undefined
  const precision = integerArgument(readType(attribute.type), 'precision')
  if (precision !== undefined && (precision < MIN_PRECISION || precision > MAX_PRECISION)) return undefined
  const service = holder.kind === 'struct' && holder.$container.$type === 'Block' ? holder.$container : holder
  // Only the name of what it refers to is asked for.
  return resolveAttribute(attribute, service, new Map())
}

function jsonLine({ type }: ResolvedAttribute, { type: declared }: Attribute): string {
  const target = declared.target.ref
  if (target !== undefined)
    return target.kind === 'struct'
      ? `- JSON: the id (UUID) of an entry of \`${target.name}\` under the same parent`
      : `- JSON: the id (UUID) of an entity of \`${target.name}\``
  switch (type.kind) {
    case 'string':
      return `- JSON: string${lengths(type.minLength, type.maxLength, 'character')}`
    case 'int':
      return `- JSON: integer, ${type.jsonMin} to ${type.jsonMax}`
    case 'float':
      return `- JSON: number${range(type.min, type.max)}`
    case 'data':
      return `- JSON: base64${lengths(0, type.maxSize, 'byte')}`
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
    case 'reference':
    case 'sibling':
      return `- JSON: ${typeNamed(declared.target.$refText)?.json ?? 'string'}`
    default:
      return assertNever(type)
  }
}

function lengths(min: number, max: number | undefined, unit: string): string {
  if (max === undefined) return min > 0 ? `, ${counted(min, unit)} or more` : ''
  return min > 0 ? `, ${min} to ${counted(max, unit)}` : `, at most ${counted(max, unit)}`
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? '' : `, at most ${max}`
  return max === undefined ? `, at least ${min}` : `, ${min} to ${max}`
}

function columnLine({ names, type, stored, unique }: ResolvedAttribute): string {
  if (!stored) return '- Postgres: not stored'
  const check = boundsCheck(names.snake, type)
  const constraints = [unique ? ' UNIQUE' : '', check === undefined ? '' : ` CHECK (${check})`].join('')
  return `- Postgres: \`${names.snake} ${columnType(type)}${constraints}\``
}

function visibilityLine({ visibility }: ResolvedAttribute): string {
  switch (visibility) {
    case 'public':
      return '- Clients send it and see it'
    case 'serverSet':
      return '- Set by hooks; clients see it'
    case 'client':
      return '- Clients send it to hooks; nobody sees it'
    case 'server':
      return '- Set by hooks; clients do not see it'
    default:
      return assertNever(visibility)
  }
}
