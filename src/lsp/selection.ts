import { type CompositeCstNode, type CstNode, type LangiumDocument } from 'langium'
import type { Position, SelectionRange } from 'vscode-languageserver'
import { spanOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { TokenNode } from '../language/parser/cst.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { parseResultOf, rangeOf } from './parsed-document.ts'
import { commentAt, leafAt } from './leaf-at.ts'

/** For each position, the ranges of an expanding selection: word, value, declaration, block, text. */
export function selectionRanges(document: LangiumDocument, positions: readonly Position[]): SelectionRange[] {
  return positions.map((position) => {
    const offset = document.textDocument.offsetAt(position)
    let selection: SelectionRange | undefined
    for (const span of spansAround(parseResultOf(document), offset).reverse()) {
      const range = rangeOf(document, span)
      selection = selection === undefined ? { range } : { range, parent: selection }
    }
    return selection ?? { range: { start: position, end: position } }
  })
}

/** Each range contains the previous ones, without duplicates. */
function spansAround(result: DefinitionParseResult, offset: number): Span[] {
  const spans: Span[] = []
  const add = ({ start, end }: Span): void => {
    const last = spans.at(-1)
    if (start > offset || end < offset) return
    if (last === undefined || (start <= last.start && end >= last.end && end - start > last.end - last.start))
      spans.push({ start, end })
  }
  const comment = commentAt(result, offset)
  if (comment !== undefined) add(comment)
  const leaf = leafAt(result, offset)
  if (leaf !== undefined) add({ start: leaf.offset, end: leaf.end })
  for (const node of compositesAround(result, offset).reverse()) {
    const inner = innerSpan(node)
    if (inner !== undefined) add(inner)
    add(spanOf(node.astNode))
    add({ start: node.offset, end: node.end })
  }
  add({ start: 0, end: result.text.length })
  return spans
}

/** The nodes of the syntax tree around an offset, outermost first. */
function compositesAround({ segments }: DefinitionParseResult, offset: number): CompositeCstNode[] {
  const found: CompositeCstNode[] = []
  let content = segments.flatMap(({ cst }) => cst) as unknown as readonly CstNode[]
  for (;;) {
    const around = content.find(
      (node) => !(node instanceof TokenNode) && node.offset <= offset && offset <= node.end,
    ) as CompositeCstNode | undefined
    if (around === undefined) return found
    found.push(around)
    content = around.content
  }
}

/** The range between the brackets of a node. */
function innerSpan({ content }: CompositeCstNode): Span | undefined {
  const close = content.at(-1)
  const open = content.find((child) => /^[{([]$/.test(child.text))
  if (open === undefined || close === undefined || !/^[})\]]$/.test(close.text)) return undefined
  return { start: open.end, end: close.offset }
}
