import type { Range } from 'vscode-languageserver'
import type { Span } from '../syntax/tree.ts'
import type { EditorDocument } from './document.ts'

/** A stretch of offsets as the protocol has it: lines from 0, UTF-16 code units. */
export function rangeOf({ textDocument }: EditorDocument, { start, end }: Span): Range {
  return { start: textDocument.positionAt(start), end: textDocument.positionAt(end) }
}
