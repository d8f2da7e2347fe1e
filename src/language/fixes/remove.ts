import type { AnnotationNode, ArgumentNode, ListValueNode, MetadataNode } from '../syntax/nodes.ts'
import type { AnyNode } from '../editor/place.ts'
import { around } from './around.ts'
import { removingDeclaration, removingItem, removingList } from './edits.ts'
import { alternative, type Edit, type Fix, preferred, type QuickFix } from './fix.ts'

/** Removes the declaration that the problem is in, where that is what was most likely meant. */
export const removeDeclaration: QuickFix = (problem) => declarationRemovals(problem, preferred)

/** The same as one way of several. */
export const removeDeclarationPossibly: QuickFix = (problem) => declarationRemovals(problem, alternative)

/** Removes an argument, or a value of a list, that cannot stand there. */
export const removeItem: QuickFix = (problem) => itemRemovals(problem, preferred)

/** The same as one way of several. */
export const removeItemPossibly: QuickFix = (problem) => itemRemovals(problem, alternative)

/** Removes an annotation; of two that exclude each other this one or, where one is related, the other. */
export const removeAnnotation: QuickFix = (problem) => {
  const annotation = around(problem, 'Annotation')
  if (annotation === undefined) return []
  const others = annotation.$container.annotations.filter((other) =>
    problem.diagnostic.related.some(
      ({ range }) => range.start.offset === other.$tree.tokens.start(other.$name),
    ),
  )
  const isRepeated = others.some(({ name }) => name === annotation.name)
  return [
    (isRepeated ? preferred : alternative)(`Remove \`@${annotation.name}\``, removingAnnotation(annotation)),
    ...(isRepeated
      ? []
      : others.map((other) => alternative(`Remove \`@${other.name}\``, removingAnnotation(other)))),
  ]
}

function removingAnnotation({ $tree: { tokens }, $first, $last }: AnnotationNode): Edit {
  return { start: tokens.end($first - 1), end: tokens.end($last), text: '' }
}

type Maker = (title: string, ...edits: readonly Edit[]) => Fix

function declarationRemovals(problem: Parameters<QuickFix>[0], fix: Maker): Fix[] {
  const declaration = around(problem, 'Attribute') ?? around(problem, 'Metadata')
  if (declaration === undefined) return []
  const name = declaration.$type === 'Metadata' ? `#${declaration.name}` : declaration.name
  return [fix(`Remove \`${name}\``, removingDeclaration(declaration))]
}

function itemRemovals(problem: Parameters<QuickFix>[0], fix: Maker): Fix[] {
  const found = itemAround(problem.node)
  if (found === undefined) return []
  const { list, item } = found
  const shown = item.$tree.text.slice(item.$tree.tokens.start(item.$first), item.$tree.tokens.end(item.$last))
  const title = shown.length > 40 ? 'Remove this value' : `Remove \`${shown}\``
  if (list.items.length > 1) return [fix(title, removingItem(list, item))]
  const holder = list.$container
  // Metadata without its only value is not whole, so all of it goes.
  const metadata = holder.$type === 'Metadata' ? holder : metadataOf(list)
  return [fix(title, metadata === undefined ? removingList(list) : removingDeclaration(metadata))]
}

type Item = ArgumentNode | ListValueNode['items'][number]

function itemAround(node: AnyNode): { list: Parameters<typeof removingItem>[0]; item: Item } | undefined {
  for (let at: AnyNode = node; at.$type !== 'Definition'; at = at.$container) {
    if (at.$type === 'Argument') return { list: at.$container, item: at }
    if (
      (at.$type === 'WordValue' || at.$type === 'NumberValue' || at.$type === 'ListValue') &&
      at.$container.$type === 'ListValue'
    )
      return { list: at.$container, item: at }
  }
  return undefined
}

/** The metadata that a list in brackets is the only argument of: `#omit([delete])`. */
function metadataOf(list: Parameters<typeof removingItem>[0]): MetadataNode | undefined {
  if (list.$type === 'ArgumentList') return list.$container.$type === 'Metadata' ? list.$container : undefined
  if (list.$container.$type !== 'Argument') return undefined
  const holder = list.$container.$container.$container
  return holder.$type === 'Metadata' ? holder : undefined
}
