import { bindArguments, bindTypeArguments, integerArgument, isWord, wordText } from '../argument-binding.ts'
import { isReservedName, languageTitle, metadataNamed, PARENT } from '../builtins.ts'
import { type Attribute, isAttribute, isBlock, type Metadata, type Value } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import { quote } from '../quote.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import type { Span } from '../raw-diagnostic.ts'
import { type ValidationContext, withSuggestion } from './context.ts'

/** The longest text that an index can hold, in code points. */
export const MAX_INDEXED_LENGTH = 600n

/** The language of the typed client, in which a filter is a property. */
const CLIENT_LANGUAGE = 'typescript'

/** The query parameters that every list with filters or orders has. */
const LIST_PARAMETERS = new Set(['limit', 'after', 'sort', 'total'])

/** The lists of `#enumerable` name attributes that clients can see and that can be compared, each once. */
export function checkCriteria(metadata: Metadata, context: ValidationContext): void {
  const options = metadataNamed(metadata.name)?.options
  if (metadata.name !== 'enumerable' || options === undefined || hasParseError(metadata)) return
  if (metadata.list !== undefined) {
    context.report('wrong-argument-kind', spanOf(metadata.list), `\`#${metadata.name}\` takes named lists`, {
      help: 'for example `#enumerable(filter: [status], sort: [priority])`',
    })
    return
  }
  for (const [option, given] of bindArguments(metadata.arguments, options).values) {
    if (given.$type !== 'ListValue') continue
    for (const [value, attribute] of listedAttributes(metadata, given.items, context)) {
      const problem = context.overlapsSyntaxError(attribute) ? undefined : criterionProblem(attribute, option)
      if (problem !== undefined) context.report(problem.code, spanOf(value), problem.message, problem)
    }
  }
}

/** The attributes of a list, each once. Reports those that do not exist or that are repeated. */
export function listedAttributes(
  metadata: Metadata,
  items: readonly Value[],
  context: ValidationContext,
): Map<Value, Attribute> {
  const found = new Map<Value, Attribute>()
  const values = new Map<Attribute, Value>()
  for (const value of items) {
    const attribute = value.$type === 'AttributeValue' ? value.attribute.ref : undefined
    const earlier = attribute && values.get(attribute)
    if (attribute === undefined) reportUnknown(metadata, value, context)
    else if (earlier !== undefined)
      context.report('repeated-attribute', spanOf(value), `${quote(attribute.name)} is listed twice`, {
        help: 'remove one of the two',
        related: [{ ...spanOf(earlier), message: 'first listed here' }],
      })
    else {
      found.set(value, attribute)
      values.set(attribute, value)
    }
  }
  return found
}

function reportUnknown(
  { $container, name: metadata }: Metadata,
  value: Value,
  context: ValidationContext,
): void {
  // A broken declaration may be the attribute.
  if (!isBlock($container) || context.overlapsSyntaxError($container)) return
  const { start, end } = spanOf(value)
  const names = $container.members.filter(isAttribute).map(({ name }) => name)
  if (metadata === 'unique' && $container.$type === 'Struct') names.push(PARENT)
  const suggestion = isWord(value) ? context.spelling.suggest(wordText(value), names) : undefined
  const text = quote(context.text.slice(start, Math.min(end, start + 100)))
  context.report('unknown-attribute', { start, end }, `Unknown attribute ${text}`, {
    help: `only attributes of ${quote($container.name)} can be listed`,
    ...withSuggestion(suggestion),
  })
}

/** Why an attribute cannot be listed. */
export interface ListingProblem {
  readonly code:
    | 'hidden-attribute'
    | 'reserved-parameter'
    | 'not-comparable'
    | 'not-indexable'
    | 'unique-client'
  readonly message: string
  readonly help: string
  readonly related?: readonly (Span & { readonly message: string })[]
}

/** Why clients cannot filter or sort by an attribute, as the name of the list says; `undefined` if they can. */
export function criterionProblem(
  attribute: Attribute,
  option: string | undefined,
): ListingProblem | undefined {
  const { name, annotations } = attribute
  const hidden = annotations.find(
    (annotation) => annotation.name === 'server' || annotation.name === 'client',
  )
  if (hidden !== undefined)
    return {
      code: 'hidden-attribute',
      message: `\`@${hidden.name}\` attributes are not in lists`,
      help: 'clients can filter and sort only by what responses contain',
      related: [{ ...spanOf(hidden), message: 'hidden here' }],
    }
  if (option === 'filter' && (LIST_PARAMETERS.has(name) || isReservedName(name, CLIENT_LANGUAGE)))
    return {
      code: 'reserved-parameter',
      message: LIST_PARAMETERS.has(name)
        ? `\`${name}\` is a query parameter of every list`
        : `\`${name}\` is reserved in clients in ${languageTitle(CLIENT_LANGUAGE)}`,
      help: 'rename the attribute, or remove it from the list',
    }
  return indexProblem(attribute)
}

/** Why an index cannot hold the values of an attribute; `undefined` if it can. */
export function indexProblem({ type }: Attribute): ListingProblem | undefined {
  if (type.$type !== 'PrimitiveType') return undefined
  if (type.name === 'data')
    return {
      code: 'not-comparable',
      message: '`data` cannot be compared',
      help: 'list an attribute of another type',
    }
  const maxLength = integerArgument(bindTypeArguments(type), 'maxLength')
  if (type.name !== 'string' || (maxLength !== undefined && maxLength <= MAX_INDEXED_LENGTH)) return undefined
  return {
    code: 'not-indexable',
    message: `\`string\` requires a \`maxLength\` of at most ${MAX_INDEXED_LENGTH} here`,
    help: 'an index cannot hold longer text',
    related: [{ ...spanOf(type), message: 'declared here' }],
  }
}
