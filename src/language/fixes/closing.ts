import { isBlock } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import { indentationAt, inserting, lineEndOf } from './edits.ts'
import { enclosing } from './enclosing.ts'
import { preferred, type QuickFix } from './fix.ts'
import { isReadable, segmentAt } from './segments.ts'

/** The maximum number of lines of an unterminated comment that are tried. */
const MOST_COMMENT_LINES = 5

/** Ends a comment after the first of its lines that makes the rest valid, or at the end of the text. */
export const closeComment: QuickFix = ({ diagnostic, result }) => {
  const start = diagnostic.range.start.offset
  const segment = segmentAt(result, start)
  const lineEnds = [...segment.text.slice(start - segment.offset).matchAll(/[ \t]*(?:\r\n|\n|\r)/g)]
  const place = lineEnds
    .slice(0, MOST_COMMENT_LINES)
    .map(({ index }) => start + index)
    .find((offset) => isReadable(segment, [inserting(offset, ' */')]))
  return [preferred('Insert `*/`', inserting(place ?? result.text.trimEnd().length, ' */'))]
}

/** Closes a block where its `}` is probably missing. */
export const closeBlock: QuickFix = (context) => {
  const { result } = context
  const [place] = context.diagnostic.related
  const block = enclosing(context, isBlock)
  if (place === undefined || block === undefined) return []
  const indentation = indentationAt(result, spanOf(block).start)
  return [
    preferred('Insert `}`', inserting(place.range.start.offset, `${lineEndOf(result.text)}${indentation}}`)),
  ]
}
