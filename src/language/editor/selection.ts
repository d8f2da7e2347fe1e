import type { Position, SelectionRange } from 'vscode-languageserver'
import { spanOf } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
} from '../syntax/tokens.ts'
import type { Span } from '../syntax/tree.ts'
import type { EditorDocument } from './document.ts'
import { type AnyNode, ancestry, placeAt } from './place.ts'
import { rangeOf } from './ranges.ts'

/** For each position what a wider and wider selection goes through: word, value, declaration, block, text. */
export function selectionRanges(document: EditorDocument, positions: readonly Position[]): SelectionRange[] {
  return positions.map((position) => {
    const offset = document.textDocument.offsetAt(position)
    let selection: SelectionRange | undefined
    for (const span of spansAround(document.read, offset).reverse()) {
      const range = rangeOf(document, span)
      selection = selection === undefined ? { range } : { range, parent: selection }
    }
    return selection ?? { range: { start: position, end: position } }
  })
}

/** Each holds the ones before it; none twice. */
function spansAround(read: Read, offset: number): Span[] {
  const { text, tokens, comments } = read.tree
  const { node, token, comment } = placeAt(read, offset)
  const spans: Span[] = []
  const add = ({ start, end }: Span): void => {
    const last = spans.at(-1)
    if (start > offset || end < offset) return
    if (last === undefined || (start <= last.start && end >= last.end && end - start > last.end - last.start))
      spans.push({ start, end })
  }
  if (comment >= 0) add({ start: comments.start(comment), end: comments.end(comment) })
  if (token >= 0) add({ start: tokens.start(token), end: tokens.end(token) })
  for (const around of ancestry(node)) {
    const inner = innerSpan(read, around)
    if (inner !== undefined) add(inner)
    add(spanOf(around))
    add({ start: tokens.start(around.$first), end: tokens.end(around.$last) })
  }
  add({ start: 0, end: text.length })
  return spans
}

/** What stands between the brackets of a node. */
function innerSpan({ tree: { tokens } }: Read, { $type, $first, $last }: AnyNode): Span | undefined {
  // A text that begins and ends with a block is not in the brackets of either.
  if ($type === 'Definition') return undefined
  const close = tokens.kind($last)
  if (close !== CLOSE_BRACE && close !== CLOSE_BRACKET && close !== CLOSE_PAREN) return undefined
  for (let index = $first; index < $last && index < $first + 4; index++) {
    const kind = tokens.kind(index)
    if (kind === OPEN_BRACE || kind === OPEN_BRACKET || kind === OPEN_PAREN)
      return { start: tokens.end(index), end: tokens.start($last) }
  }
  return undefined
}
