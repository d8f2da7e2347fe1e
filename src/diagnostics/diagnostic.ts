import { CATALOGUE, type DiagnosticCode, type Severity } from './catalogue.ts'

/** A place in a text. */
export interface Position {
  /** UTF-16 code units from the start of the text, a byte order mark included; counts from 0. */
  readonly offset: number
  /** Counts from 1. `\n`, `\r\n` and `\r` end a line. */
  readonly line: number
  /** Unicode code points, counts from 1. A byte order mark at the start of the text has no column. */
  readonly column: number
}

/** From `start` up to, but not including, `end`. May be empty. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** Another place that a diagnostic speaks of. */
export interface RelatedPlace {
  readonly range: Range
  readonly message: string
}

/**
 * What a quick fix needs beyond the code and the range: the text to put in place of the range
 * (`replacement`), or to insert right behind it (`insertion`).
 */
export interface Mend {
  readonly replacement?: string
  readonly insertion?: string
}

/** One finding in a definition. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  readonly range: Range
  /** What happened and what to do about it: plain text, one line, code in backquotes. */
  readonly message: string
  readonly related: readonly RelatedPlace[]
  readonly data: Mend | undefined
}

/** Whether any of these keeps the definition from being generated. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error')
}

/** How many of these are errors. */
export function countErrors(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length
}

/** The severity that the catalogue gives a code. */
export function severityOf(code: DiagnosticCode): Severity {
  return CATALOGUE[code].severity
}
