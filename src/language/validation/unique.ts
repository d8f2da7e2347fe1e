import { AstUtils } from 'langium'
import {
  bindTypeArguments,
  integerArgument,
  isWord,
  metadataValues,
  metadataWords,
  wordText,
} from '../argument-binding.ts'
import { PARENT } from '../builtins.ts'
import {
  type Attribute,
  type Block,
  isBlock,
  isMetadata,
  type Metadata,
  type Value,
} from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { indexProblem, listedAttributes, MAX_INDEXED_LENGTH, type ListingProblem } from './attribute-lists.ts'
import type { ValidationContext } from './context.ts'

/** The maximum number of columns of an index. */
const MAX_COLUMNS = 32

/** `#unique` lists two or more attributes that one index can hold. */
export function checkUnique(metadata: Metadata, context: ValidationContext): void {
  if (metadata.name !== 'unique' || hasParseError(metadata)) return
  const words = metadataValues(metadata).filter(isWord)
  const [parent, ...repeated] = words.filter(isParent)
  if (parent !== undefined)
    for (const value of repeated)
      context.report('repeated-attribute', spanOf(value), `${quote(PARENT)} is listed twice`, {
        help: 'remove one of the two',
        related: [{ ...spanOf(parent), message: 'first listed here' }],
      })
  const found = listedAttributes(
    metadata,
    words.filter((value) => !isParent(value)),
    context,
  )
  let hasProblem = words.length === 0 && metadata.list === undefined
  for (const [value, attribute] of found) {
    const problem = context.overlapsSyntaxError(attribute) ? undefined : combinationProblem(attribute)
    if (problem !== undefined) context.report(problem.code, spanOf(value), problem.message, problem)
    hasProblem ||= problem !== undefined
  }
  const isWhole = found.size + (parent === undefined ? 0 : 1) === words.length
  if (isWhole && !hasProblem) checkSize(metadata, [...found.values()], words.length, context)
}

/**
 * Whether a word is the entity that an entry of a struct belongs to. An attribute of this name precedes it. A block of
 * an unknown kind may be meant as a struct.
 */
function isParent(value: Value): boolean {
  if (value.$type !== 'AttributeValue' || value.attribute.$refText !== PARENT) return false
  return value.attribute.ref === undefined && AstUtils.getContainerOfType(value, isBlock)?.$type !== 'Service'
}

function checkSize(
  metadata: Metadata,
  attributes: readonly Attribute[],
  count: number,
  context: ValidationContext,
): void {
  const place = spanOf(metadata.list ?? metadata.arguments ?? metadata)
  const length = lengthOf(attributes)
  if (!fitsOneIndex(attributes))
    context.report('not-indexable', place, `These strings can have up to ${length} characters in total`, {
      help: `an index holds at most ${MAX_INDEXED_LENGTH}; shorten them`,
    })
  else if (count > MAX_COLUMNS)
    context.report('not-indexable', place, `\`#unique\` lists at most ${MAX_COLUMNS} attributes`)
  else if (count < 2)
    context.report('too-few-attributes', place, '`#unique` requires two or more attributes', {
      help:
        attributes.length === 0
          ? 'list the attributes whose combination is unique'
          : 'annotate a single attribute with `@unique`',
    })
}

/** Whether one index can hold the strings of a combination together. */
export function fitsOneIndex(attributes: readonly Attribute[]): boolean {
  return lengthOf(attributes) <= MAX_INDEXED_LENGTH
}

/** The maximum number of characters of all strings together. Values of other types are small. */
function lengthOf(attributes: readonly Attribute[]): bigint {
  return attributes.reduce((sum, { type }) => {
    const isString = type.$type === 'PrimitiveType' && type.name === 'string'
    return sum + (isString ? (integerArgument(bindTypeArguments(type), 'maxLength') ?? 0n) : 0n)
  }, 0n)
}

/** Why an attribute cannot be in `#unique`; `undefined` if it can. */
export function combinationProblem(attribute: Attribute): ListingProblem | undefined {
  const client = attribute.annotations.find(({ name }) => name === 'client')
  if (client === undefined) return indexProblem(attribute)
  return {
    code: 'unique-client',
    message: `${quote(attribute.name)} is not stored`,
    help: 'a `@client` attribute cannot be unique',
    related: [{ ...spanOf(client), message: 'not stored because of this annotation' }],
  }
}

/** The same combination is listed once, whatever its order. */
export function checkUniqueCombinations(block: Block, context: ValidationContext): void {
  const seen = new Map<string, Metadata>()
  for (const metadata of block.members) {
    if (!isMetadata(metadata) || metadata.name !== 'unique' || hasParseError(metadata)) continue
    const key = combinationOf(metadata)
    const earlier = seen.get(key)
    if (earlier === undefined) seen.set(key, metadata)
    else if (key !== '')
      context.report('duplicate-combination', spanOf(metadata), 'Duplicate combination', {
        help: 'remove one of the two',
        related: [{ ...spanOf(earlier), message: 'first used here' }],
      })
  }
}

/** The attributes of a combination, in an order that is always the same. */
export function combinationOf(metadata: Metadata): string {
  return [...new Set(metadataWords(metadata).map(wordText))].toSorted().join()
}
