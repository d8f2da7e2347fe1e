import { CATALOGUE, type DiagnosticCode, type Severity } from './catalogue.ts'

/** A position in a text. */
export interface Position {
  /**
   * UTF-16 code units from the start of the text, a byte order mark included; counts from 0. In a definition of
   * several files, it counts through all of them.
   */
  readonly offset: number
  /** Of the file. Counts from 1. `\n`, `\r\n` and `\r` end a line. */
  readonly line: number
  /** Unicode code points, counts from 1. A byte order mark at the start of the text has no column. */
  readonly column: number
}

/** From `start` up to, but not including, `end`. May be empty. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** Another range that a diagnostic refers to. */
export interface RelatedInformation {
  /** See `Diagnostic`. */
  readonly file: string
  readonly range: Range
  /** How this range is related to the problem, in a few words: "first declared here". */
  readonly message: string
}

/**
 * What a quick fix needs in addition to the code and the range: the text that replaces the range
 * (`replacement`), or the text to insert at its end (`insertion`).
 */
export interface CodeFix {
  readonly replacement?: string
  readonly insertion?: string
}

/** One problem in a definition. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** The path of its file, relative to the folder of the definition; empty for a text without a folder. */
  readonly file: string
  readonly range: Range
  /** The problem in one short phrase: plain text, one line, code in backticks, no full stop. */
  readonly message: string
  /** What to do about it: plain text, one line, code in backticks, without a leading "help:". */
  readonly help?: string
  readonly related: readonly RelatedInformation[]
  readonly data: CodeFix | undefined
}

/** The message and, on a second line, the help: for hosts that show a diagnostic as one text. */
export function messageWithHelp({ message, help }: Pick<Diagnostic, 'message' | 'help'>): string {
  return help === undefined ? message : `${message}\nhelp: ${help}`
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
