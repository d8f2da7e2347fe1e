import type { DiagnosticCode } from '../../../diagnostics/catalogue.ts'
import type { CodeFix } from '../../../diagnostics/diagnostic.ts'
import { quote } from '../../quote.ts'

/** What to say about a syntax error. The parser adds the range. */
export interface SyntaxMessage {
  readonly code: DiagnosticCode
  readonly message: string
  readonly help?: string
  readonly data?: CodeFix
}

/** A token that is not allowed here; `undefined` at the end of the text. */
export function unexpected(found: string | undefined): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: found === undefined ? 'Unexpected end of file' : `Unexpected ${quote(found)}`,
  }
}
