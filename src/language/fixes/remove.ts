import type { AstNode } from 'langium'
import {
  type Annotation,
  type Argument,
  type Arguments,
  isAnnotation,
  isArgument,
  isAttribute,
  isDefinition,
  isImport,
  isListValue,
  isMetadata,
  type ListValue,
  type Metadata,
  type Value,
} from '../generated/ast.ts'
import { metadataNamed } from '../builtins.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { type Edit, hasComments, removingDeclaration, removingItem, removingNode } from './edits.ts'
import { enclosing } from './enclosing.ts'
import { alternative, type Fix, type FixContext, type FixFactory, preferred, type QuickFix } from './fix.ts'

/** Removes the declaration with the problem, as the preferred fix. */
export const removeDeclaration: QuickFix = (context) => declarationRemovals(context, preferred)

/** The same as one of several alternatives. */
export const removeDeclarationPossibly: QuickFix = (context) => declarationRemovals(context, alternative)

/** Removes an argument, or a value of a list, that is not allowed. */
export const removeItem: QuickFix = (context) => itemRemovals(context, preferred)

/** The same as one of several alternatives. */
export const removeItemPossibly: QuickFix = (context) => itemRemovals(context, alternative)

/** Removes an annotation; of two conflicting ones, this one or the related one. */
export const removeAnnotation: QuickFix = (context) => {
  const annotation = enclosing(context, isAnnotation)
  if (annotation === undefined) return []
  const others = annotation.$container.annotations.filter((other) =>
    context.diagnostic.related.some(({ range }) => range.start.offset === nameSpan(other).start),
  )
  const isRepeated = others.some(({ name }) => name === annotation.name)
  const textOf = (node: Annotation): string => context.result.text.slice(spanOf(node).start, spanOf(node).end)
  const isSame = others.some((other) => textOf(other) === textOf(annotation))
  const removals = isRepeated ? [annotation] : [annotation, ...others]
  return removals.map((removed) =>
    (isSame ? preferred : alternative)(
      `Remove \`@${removed.name}\``,
      removingAnnotation(context.result, removed),
    ),
  )
}

/** Removes an import. */
export const removeImport: QuickFix = (context) => {
  const node = enclosing(context, isImport)
  if (node === undefined) return []
  const removal = removingDeclaration(context.result, node)
  return [(hasComments(context.result, removal) ? alternative : preferred)('Remove the import', removal)]
}

/** Removes the `@client` of an attribute. */
export const removeClient: QuickFix = (context) => {
  const annotations = enclosing(context, isAttribute)?.annotations ?? []
  return annotations
    .filter(({ name }) => name === 'client')
    .map((client) => alternative('Remove `@client`', removingAnnotation(context.result, client)))
}

/** Removes a default with its `=`. */
export const removeDefault: QuickFix = ({ diagnostic: { range }, result: { tokens } }) => {
  const sign = tokens.firstFrom(range.start.offset) - 1
  return [alternative('Remove the default', { start: tokens.end(sign - 1), end: range.end.offset, text: '' })]
}

/** Removes the `#was` with the problem, or the argument of `@was`, with the annotation if nothing is left. */
export const removeFormerName: QuickFix = (context) => {
  const annotation = enclosing(context, isAnnotation)
  return annotation === undefined ? declarationRemovals(context, alternative) : removeValue(context)
}

/** Removes an argument of an annotation, or a value of its list, with the annotation if nothing is left. */
export const removeValue: QuickFix = (context) => {
  const argument = enclosing(context, isArgument)
  const annotation = argument?.$container.$container
  if (argument === undefined || !isAnnotation(annotation)) return []
  const list = enclosing(context, isListValue)
  if (list !== undefined && list.items.length > 1) return removeItemPossibly(context)
  const isOnly = argument.$container.items.length === 1
  const { start, end } = isOnly ? spanOf(annotation) : spanOf(argument)
  const title = `Remove \`${context.result.text.slice(start, end)}\``
  return [alternative(title, removingArgument(context.result, annotation, argument.$containerIndex ?? 0))]
}

/** Removes an argument of an annotation, with the annotation if nothing is left. */
export function removingArgument(result: DefinitionParseResult, annotation: Annotation, index: number): Edit {
  const { arguments: list } = annotation
  const item = list?.items[index]
  return list === undefined || item === undefined || list.items.length === 1
    ? removingAnnotation(result, annotation)
    : removingItem(result, list, item)
}

/** Removes an annotation and the space before it. */
function removingAnnotation({ tokens }: DefinitionParseResult, annotation: Annotation): Edit {
  const { start, end } = spanOf(annotation)
  return { start: tokens.end(tokens.firstFrom(start) - 1), end, text: '' }
}

function declarationRemovals(context: FixContext, fix: FixFactory): Fix[] {
  const declaration = enclosing(context, isAttribute) ?? enclosing(context, isMetadata)
  if (declaration === undefined) return []
  const name = isMetadata(declaration) ? `#${declaration.name}` : declaration.name
  const removal = removingDeclaration(context.result, declaration)
  const isLossless = !hasComments(context.result, removal)
  return [(isLossless ? fix : alternative)(`Remove \`${name}\``, removal)]
}

function itemRemovals({ result, node }: FixContext, fix: FixFactory): Fix[] {
  const found = itemAround(node)
  if (found === undefined) return []
  const { list, item } = found
  const { start, end } = spanOf(item)
  const title = end - start > 40 ? 'Remove value' : `Remove \`${result.text.slice(start, end)}\``
  if (list.items.length > 1) return [fix(title, removingItem(result, list, item))]
  const metadata = metadataOf(list)
  const entry = metadata && metadataNamed(metadata.name)
  if (metadata !== undefined && entry?.options !== undefined && entry.parameter === undefined) {
    // `#enumerable` is valid without its lists.
    const argument = list.$container
    const isOneOfSeveral = isArgument(argument) && argument.$container.items.length > 1
    return [
      fix(
        title,
        isOneOfSeveral
          ? removingItem(result, argument.$container, argument)
          : removingNode(metadata.arguments ?? list),
      ),
    ]
  }
  // Other metadata requires its value.
  return [fix(title, metadata === undefined ? removingNode(list) : removingDeclaration(result, metadata))]
}

/** The argument, or the value of a list, around a node. */
function itemAround(
  node: AstNode,
): { readonly list: Arguments | ListValue; readonly item: Argument | Value } | undefined {
  for (let at: AstNode | undefined = node; at !== undefined && !isDefinition(at); at = at.$container) {
    if (isArgument(at)) return { list: at.$container, item: at }
    if (isListValue(at.$container)) return { list: at.$container, item: at as Value }
  }
  return undefined
}

/** The metadata that a list is the value of: `#omit[delete]`, `#omit([delete])`, `#readable(all)`. */
function metadataOf(list: Arguments | ListValue): Metadata | undefined {
  const { $container: container } = list
  if (isArgument(container)) return metadataOf(container.$container)
  return isMetadata(container) ? container : undefined
}
