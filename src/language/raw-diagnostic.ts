import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import type { CodeFix } from '../diagnostics/diagnostic.ts'

/** A range of a text in UTF-16 code units. The end is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A diagnostic before its offsets are converted to lines and columns. */
export interface RawDiagnostic extends Span {
  readonly code: DiagnosticCode
  readonly message: string
  readonly help?: string
  readonly related?: readonly (Span & { readonly message: string })[]
  readonly data?: CodeFix
}
