import { isWord, metadataValues, metadataWords, wordText } from '../argument-binding.ts'
import { metadataNamed, takesList } from '../builtins.ts'
import { isBlock, isListValue, isMetadata, isWord as isWordNode, type Metadata } from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { definitionIndex, metadataOf } from '../validation/definition-index.ts'
import { inserting, removingDeclaration, replacing } from './edits.ts'
import { enclosing } from './enclosing.ts'
import { alternative, type FixContext, preferred, type QuickFix } from './fix.ts'
import { valueIn } from './suggestions.ts'

/** Gives metadata one of its possible values. If there is only one, the fix is preferred. */
export const addValue: QuickFix = (context) => {
  const metadata = enclosing(context, isMetadata)
  const parameter = metadata && metadataNamed(metadata.name)?.parameter
  if (metadata === undefined || parameter === undefined) return []
  const place = { start: nameSpan(metadata).end, end: spanOf(metadata).end }
  const names =
    parameter.kind === 'services'
      ? definitionIndex(context.result.value).services.map(({ name }) => name)
      : parameter.values.map(({ name }) => name)
  const fix = names.length === 1 ? preferred : alternative
  return names
    .filter((name) => isPossible(name, metadata, context))
    .map((name) => {
      const written = takesList(parameter) ? `[${name}]` : `(${parameter.name === 'by' ? 'by: ' : ''}${name})`
      return fix(`Change to \`#${metadata.name}${written}\``, replacing(place, written))
    })
}

/** Whether a value is valid in this block. */
function isPossible(value: string, { $container }: Metadata, { result }: FixContext): boolean {
  if (value === 'this') return definitionIndex(result.value).authMethod !== undefined
  return value !== 'identify' || (isBlock($container) && metadataOf($container, 'auth') !== undefined)
}

/** Changes an invalid metadata value to a valid one. */
export const changeValue: QuickFix = (context) => {
  const metadata = enclosing(context, isMetadata)
  const word = enclosing(context, isWordNode)
  const parameter = metadata && metadataNamed(metadata.name)?.parameter
  if (metadata === undefined || word === undefined || parameter === undefined) return []
  const present = new Set(metadataWords(metadata).map(wordText))
  const { kind, values } = parameter
  const roles = kind === 'callers' ? [...definitionIndex(context.result.value).roles] : []
  return [...values.map(({ name }) => name), ...roles]
    .filter(
      (name) =>
        isPossible(name, metadata, context) &&
        !(kind === 'callers' && name === 'all' && isListValue(word.$container)) &&
        !present.has(name) &&
        name !== context.diagnostic.data?.replacement,
    )
    .map((name) => alternative(`Change to ${valueIn(metadata, name)}`, replacing(spanOf(word), name)))
}

/** Merges the values of a duplicate list into the first one; removes other duplicate metadata. */
export const mergeMetadata: QuickFix = (context) => {
  const later = enclosing(context, isMetadata)
  const container = later?.$container
  const name = later && metadataNamed(later.name)?.name
  if (later === undefined || name === undefined || !isBlock(container)) return []
  const earlier = metadataOf(container, name)
  if (earlier === undefined || earlier === later) return []
  const present = new Set(metadataWords(earlier).map(wordText))
  const added = metadataWords(later)
    .map(wordText)
    .filter((word) => !present.has(word))
  const last = metadataValues(earlier).at(-1)
  const parameter = metadataNamed(name)?.parameter
  const removal = removingDeclaration(context.result, later)
  if (added.length === 0 || last === undefined || parameter === undefined || !takesList(parameter))
    return [(added.length === 0 ? preferred : alternative)(`Remove duplicate \`#${name}\``, removal)]
  const words = added.map((word) => `, ${word}`).join('')
  return [preferred(`Merge into the first \`#${name}\``, inserting(spanOf(last).end, words), removal)]
}

/** Keeps one endpoint if all are omitted. */
export const keepEndpoint: QuickFix = (context) => {
  const omit = enclosing(context, isMetadata)
  if (omit === undefined) return []
  const words = metadataValues(omit).filter((value) => isWord(value))
  return words.map((value, index) => {
    const next = words[index + 1]
    const previous = words[index - 1]
    const { start, end } = spanOf(value)
    const span =
      previous !== undefined
        ? { start: spanOf(previous).end, end }
        : { start, end: next === undefined ? end : spanOf(next).start }
    return alternative(`Keep the \`${wordText(value)}\` endpoint`, replacing(span, ''))
  })
}
