import { countErrors, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { SYNTAX } from '../../diagnostics/entries/syntax.ts'
import { isProject, isService } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { checkText } from '../parse.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import type { Segment } from '../parser/segment.ts'
import type { Edit } from './edits.ts'
import { alternative, type Fix, preferred } from './fix.ts'
import { fixesOf } from './fixes.ts'
import { editedText, isReadable, segmentAt } from './segments.ts'

/**
 * Returns the fixes of a diagnostic, the most likely first. Fixes of syntax errors are tried first, because such an
 * error may be far from its cause: a fix that adds errors is omitted, and one that does not remove any is not
 * preferred. Only the segment with the error is parsed and checked, so the size of the definition does not matter.
 */
export function validatedFixesOf(diagnostic: Diagnostic, result: DefinitionParseResult): Fix[] {
  if (!Object.hasOwn(SYNTAX, diagnostic.code)) return fixesOf(diagnostic, result)
  const segment = segmentAt(result, diagnostic.range.start.offset)
  const context = new SegmentContext(result, segment)
  const before = context.errorsAfter([])
  let hasPreferred = false
  return [...fixesOfEarlyBrace(diagnostic, result, segment), ...fixesOf(diagnostic, result)].flatMap(
    (fix) => {
      const errors = context.errorsAfter(fix.edits)
      if (errors > before) return []
      if (errors === before || hasPreferred) return [alternative(fix.title, ...fix.edits)]
      hasPreferred = fix.preferred
      return [fix]
    },
  )
}

/** A small definition: a segment, and the part of the rest that its checks depend on. */
class SegmentContext {
  readonly #segment: Segment
  readonly #rest: string

  constructor({ segments, text }: DefinitionParseResult, segment: Segment) {
    this.#segment = segment
    const words = new Set(segment.tokens.map(({ image }) => image))
    this.#rest = segments
      .flatMap((other) => (other === segment ? [] : other.members))
      .map((member) => {
        if (isService(member)) return words.has(member.name) ? `${member.name}: service {}` : ''
        if (!isProject(member) || hasParseError(member)) return ''
        const { start, end } = spanOf(member)
        return text.slice(start, end)
      })
      .join('\n')
  }

  /** The number of errors after edits of the segment. The errors of the rest never change. */
  errorsAfter(edits: readonly Edit[]): number {
    return countErrors(checkText(`${editedText(this.#segment, edits)}\n${this.#rest}`).diagnostics)
  }
}

/** The maximum number of braces that are tried. */
const MOST_BRACES = 8

/** Removes the `}` inside a line that closes a block too early and makes a later `}` unmatched. */
function fixesOfEarlyBrace(
  { code, data, range }: Diagnostic,
  result: DefinitionParseResult,
  segment: Segment,
): Fix[] {
  const { text, tokens, lines } = result
  const reported = range.start.offset
  if (code !== 'unexpected-token' || data?.replacement !== '' || text[reported] !== '}') return []
  let tried = 0
  for (let index = tokens.firstFrom(reported) - 1; index >= 0 && tried < MOST_BRACES; index--) {
    const start = tokens.start(index)
    if (start < segment.offset) break
    if (tokens.image(index) !== '}' || lines.beginsLine(start)) continue
    tried++
    const isEnded = /^[;{}]$/.test(tokens.image(index - 1)) || tokens.image(index + 1) === ';'
    const edit = { start, end: start + 1, text: isEnded ? '' : ';' }
    if (!isReadable(segment, [edit])) continue
    const title = `${isEnded ? 'Remove `}`' : 'Replace `}` with `;`'} on line ${result.rangeOf(start, start).start.line}`
    return [preferred(title, edit)]
  }
  return []
}
