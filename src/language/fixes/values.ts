import { isWord, metadataParameter, metadataValues, metadataWords, wordText } from '../argument-binding.ts'
import { kebabCase } from '../../naming.ts'
import { metadataNamed, METHODS, takesList } from '../builtins.ts'
import {
  isArgument,
  isBlock,
  isListValue,
  isMetadata,
  isWord as isWordNode,
  type Metadata,
  type Word,
} from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { definitionIndex, metadataOf } from '../validation/definition-index.ts'
import { calleeNames } from '../validation/uses.ts'
import {
  type Edit,
  hasComments,
  inserting,
  insertingMember,
  removingDeclaration,
  replacing,
} from './edits.ts'
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
    parameter.kind !== 'services'
      ? parameter.values.map(({ name }) => name)
      : isBlock(metadata.$container)
        ? calleeNames(metadata.$container, definitionIndex(context.result.value))
        : []
  const fix = names.length === 1 ? preferred : alternative
  return names
    .filter((name) => isPossible(name, metadata, context))
    .map((name) => {
      const written = takesList(parameter) ? `[${name}]` : `(${parameter.name === 'by' ? 'by: ' : ''}${name})`
      return fix(`Change to \`#${metadata.name}${written}\``, replacing(place, written))
    })
}

/** Gives an endpoint a path with its own name. */
export const addPath: QuickFix = (context) => {
  const endpoint = enclosing(context, isBlock)
  if (endpoint === undefined) return []
  return METHODS.slice(0, 2).map((method) => {
    const written = `#${method}("${kebabCase(endpoint.name)}");`
    return alternative(`Add \`${written}\``, ...insertingMember(context.result, endpoint, written))
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
  const argument = enclosing(context, isArgument)
  const parameter = metadata && metadataParameter(metadata, argument)
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

/** Merges duplicate metadata into the first one, if it adds values to lists; otherwise removes it. */
export const mergeMetadata: QuickFix = (context) => {
  const { result } = context
  const later = enclosing(context, isMetadata)
  const container = later?.$container
  const name = later && metadataNamed(later.name)?.name
  if (later === undefined || name === undefined || !isBlock(container)) return []
  const earlier = metadataOf(container, name)
  if (earlier === undefined || earlier === later) return []
  const removal = removingDeclaration(result, later)
  const additions = additionsTo(earlier, later)
  const fix = additions === undefined || hasComments(result, removal) ? alternative : preferred
  return additions === undefined || additions.length === 0
    ? [fix(`Remove duplicate \`#${name}\``, removal)]
    : [fix(`Merge into the first \`#${name}\``, ...additions, removal)]
}

/** The edits that add what only the later of two has to the earlier; `undefined` if they cannot be merged. */
function additionsTo(earlier: Metadata, later: Metadata): Edit[] | undefined {
  const [first, second] = [wordLists(earlier), wordLists(later)]
  if (first === undefined || second === undefined) return undefined
  const newLists: string[] = []
  const edits: Edit[] = []
  for (const [name, words] of second) {
    const present = first.get(name)
    const known = new Set(present?.map(wordText))
    const added = words.map(wordText).filter((word) => !known.has(word))
    const last = present?.at(-1)
    if (last !== undefined && added.length > 0) {
      // Metadata with a single value cannot have two.
      if (!isListValue(last.$container)) return undefined
      edits.push(inserting(spanOf(last).end, added.map((word) => `, ${word}`).join('')))
    } else if (present === undefined && name !== '') newLists.push(`${name}: [${added.join(', ')}]`)
    else if (added.length > 0) return undefined
  }
  if (newLists.length === 0) return edits
  const text = newLists.join(', ')
  const { arguments: given } = earlier
  const last = given?.items.at(-1)
  if (last !== undefined) return [...edits, inserting(spanOf(last).end, `, ${text}`)]
  if (given === undefined) return [inserting(nameSpan(earlier).end, `(${text})`)]
  return [replacing(spanOf(given), `(${text})`)]
}

/** The values of metadata by the name of their list, which is empty if there is only one; `undefined` if any is invalid. */
function wordLists({ name, list, arguments: given }: Metadata): Map<string, readonly Word[]> | undefined {
  const hasNames = metadataNamed(name)?.options !== undefined
  const lists = new Map<string, readonly Word[]>()
  for (const item of list === undefined ? (given?.items ?? []) : [{ name: undefined, value: list }]) {
    const { value } = item
    const words = value.$type === 'ListValue' ? value.items : [value]
    const key = hasNames ? item.name : ''
    const isValid = key !== undefined && !lists.has(key) && (value.$type === 'ListValue' || !hasNames)
    if (!isValid || !words.every((word) => isWord(word))) return undefined
    lists.set(key, words)
  }
  return lists
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
