import { SYNTAX } from '../diagnostics/entries/syntax.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { readLayout } from './format/layout.ts'
import { printLayout } from './format/printer.ts'
import { Writer } from './format/writer.ts'
import type { DefinitionParseResult } from './parse-result.ts'
import { checkParsed, readText } from './parse.ts'
import type { Segment } from './parser/segment.ts'

/** A text in the standard layout. */
export interface FormatResult {
  readonly text: string
  /** The syntax errors. Top-level blocks with syntax errors are not formatted. */
  readonly syntaxErrors: readonly Diagnostic[]
}

/**
 * Formats a definition in the standard layout. Keeps every comment and the meaning of the definition; formatting the
 * result again changes nothing. Lines end in `\n`, or in `\r\n` if the first line of the text does.
 */
export function formatText(text: string): FormatResult {
  const result = readText(text)
  if (!result.hasSyntaxErrors) return { text: formatParsed(result), syntaxErrors: [] }
  const syntaxErrors = checkParsed(result).diagnostics.filter(
    ({ code, severity }) => severity === 'error' && Object.hasOwn(SYNTAX, code),
  )
  return { text: formatParsed(result), syntaxErrors }
}

/** The formatted text of a parsed definition. Segments that are not wanted stay as they are. */
export function formatParsed(
  result: DefinitionParseResult,
  isWanted: (segment: Segment) => boolean = () => true,
): string {
  const writer = new Writer(/^[^\r\n]*\r\n/.test(result.text) ? '\r\n' : '\n')
  const { segments } = result
  let start = 0
  for (const [index, segment] of segments.entries()) {
    const { offset, syntaxErrors } = segment
    if (syntaxErrors.length === 0 && isWanted(segment)) continue
    if (start < index) printLayout(writer, readLayout(result, segments.slice(start, index)), start === 0)
    writer.verbatim(result.text.slice(offset, segments[index + 1]?.offset))
    start = index + 1
  }
  if (start < segments.length) {
    printLayout(writer, readLayout(result, segments.slice(start)), start === 0)
    writer.breakLine()
  }
  return writer.written
}
