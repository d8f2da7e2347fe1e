import type { LangiumDocument } from 'langium'
import type { Range } from 'vscode-languageserver'
import { DefinitionParseResult } from '../language/parse-result.ts'
import type { Span } from '../language/raw-diagnostic.ts'

/** The definition in a document, for all features. */
export function parseResultOf({ parseResult }: LangiumDocument): DefinitionParseResult {
  if (!(parseResult instanceof DefinitionParseResult)) throw new Error('The document has not been read')
  return parseResult
}

/** A span in the protocol's form: lines from 0, UTF-16 code units. */
export function rangeOf(
  { textDocument }: Pick<LangiumDocument, 'textDocument'>,
  { start, end }: Span,
): Range {
  return { start: textDocument.positionAt(start), end: textDocument.positionAt(end) }
}
