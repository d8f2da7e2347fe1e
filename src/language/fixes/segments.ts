import { isBlock } from '../generated/ast.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { readText } from '../parse.ts'
import type { Segment } from '../parser/segment.ts'
import { applyEdits, type Edit } from './edits.ts'

/** The segment that contains an offset, or ends at it. */
export function segmentAt(result: DefinitionParseResult, offset: number): Segment {
  const file = result.fileAt(offset)
  const found = result.segments.find(
    ({ offset: start, text }) => start >= file.start && offset <= start + text.length,
  )
  if (found === undefined) throw new Error('The offset is outside the text')
  return found
}

/** Whether a segment has no syntax errors after these edits, which are inside it. */
export function isReadable(segment: Segment, edits: readonly Edit[]): boolean {
  const { value, hasSyntaxErrors } = readText(editedText(segment, edits))
  return !hasSyntaxErrors && value.members.every(isBlock)
}

/** The text of a segment after edits, which are inside it. */
export function editedText({ offset, text }: Segment, edits: readonly Edit[]): string {
  return applyEdits(
    text,
    edits.map((edit) => ({ ...edit, start: edit.start - offset, end: edit.end - offset })),
  )
}
