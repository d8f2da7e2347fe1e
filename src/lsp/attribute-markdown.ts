import { bindTypeArguments, integerArgument } from '../language/argument-binding.ts'
import { MAX_PRECISION, MAX_SCALE, MIN_PRECISION } from '../language/builtins.ts'
import { enumValues } from '../language/enum-values.ts'
import { documentationOf } from '../language/documentation.ts'
import {
  type Attribute,
  type Entity,
  isBlock,
  isEntity,
  isService,
  type Service,
} from '../language/generated/ast.ts'
import { spanOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { hasParseError } from '../language/parser/parse-errors.ts'
import { quote } from '../language/quote.ts'
import { boundsCheck, columnType } from '../model/columns.ts'
import { assertNever, type Attribute as ResolvedAttribute } from '../model/platform.ts'
import { resolveAttribute } from '../model/resolve-attribute.ts'
import { serviceTarget } from '../model/calls.ts'
import { describeType } from '../model/type-description.ts'
import { fenced } from './block-markdown.ts'

/** An attribute as Markdown: its declaration, its documentation, and its form for clients and in the database. */
export function attributeMarkdown(result: DefinitionParseResult, attribute: Attribute): string {
  const { start, end } = spanOf(attribute)
  const documentation = documentationOf(attribute)
  const parts = [fenced(result.text.slice(start, end).replace(/\s+/g, ' '))]
  if (documentation !== '') parts.push(documentation)
  const resolved = resolvedAttribute(attribute)
  if (resolved !== undefined)
    parts.push(
      [
        `- JSON: ${describeType(resolved.type)}`,
        ...(isEntity(attribute.$container) ? [columnLine(resolved)] : []),
        ...absenceLines(result, attribute, resolved),
        ...(attribute.$container.$type === 'Job' ? [] : [visibilityLine(resolved)]),
      ].join('\n'),
    )
  return parts.join('\n\n')
}

/** The model of an attribute; `undefined` if its text is incomplete or its type is unknown. */
function resolvedAttribute(attribute: Attribute): ResolvedAttribute | undefined {
  const container = attribute.$container
  const service = isBlock(container.$container) ? container.$container : container
  const target = targetOf(attribute)
  if (!isService(service) || hasParseError(attribute)) return undefined
  if (attribute.type.$type === 'ReferenceType' && target === undefined) return undefined
  if (!hasResolvableArguments(attribute)) return undefined
  const targets: [Service, ReturnType<typeof serviceTarget>][] =
    target?.$type === 'Service' ? [[target, serviceTarget(target.name)]] : []
  return resolveAttribute(attribute, service, new Map(targets))
}

/** Whether the arguments of a type are such that the model can be worked out. */
function hasResolvableArguments({ type }: Attribute): boolean {
  if (type.$type === 'PrimitiveType' && type.name === 'enum') return enumValues(type.arguments).length > 0
  const binding = bindTypeArguments(type)
  const isWithin = (name: string, min: bigint, max: bigint): boolean => {
    const value = integerArgument(binding, name)
    return value === undefined || (value >= min && value <= max)
  }
  return isWithin('precision', MIN_PRECISION, MAX_PRECISION) && isWithin('scale', 0n, MAX_SCALE)
}

function targetOf({ type }: Attribute): Entity | undefined {
  return type.$type === 'ReferenceType' ? type.entity.ref : undefined
}

function columnLine({ names, type, stored, unique }: ResolvedAttribute): string {
  if (!stored) return '- Postgres: not stored'
  const check = boundsCheck(names.snake, type)
  const constraints = [unique ? ' UNIQUE' : '', check === undefined ? '' : ` CHECK (${check})`].join('')
  return `- Postgres: \`${names.snake} ${columnType(type)}${constraints}\``
}

function absenceLines(
  { text }: DefinitionParseResult,
  { default: given, $container: around }: Attribute,
  { optional, inRequest }: ResolvedAttribute,
): string[] {
  const nullable = optional ? ['- Optional: it can be `null`'] : []
  if (given === undefined) return nullable
  const { start, end } = spanOf(given)
  const when =
    around.$type === 'Job'
      ? 'the job is added without it'
      : inRequest
        ? 'a request leaves it out'
        : 'no hook sets it'
  return [...nullable, `- Default, if ${when}: ${quote(text.slice(start, end))}`]
}

function visibilityLine({ visibility }: ResolvedAttribute): string {
  switch (visibility) {
    case 'public':
      return '- Clients can read and write it'
    case 'serverSet':
      return '- Clients can read it; hooks set it'
    case 'client':
      return '- Clients can write it; hooks receive it'
    case 'timestamp':
      return '- Clients can read it; the database sets it'
    case 'server':
      return '- Only hooks can read and write it'
    default:
      return assertNever(visibility)
  }
}
