import { basename } from 'node:path'
import type { Severity } from '../diagnostics/catalogue.ts'
import {
  type Diagnostic,
  messageWithHelp,
  type Range,
  type RelatedInformation,
} from '../diagnostics/diagnostic.ts'
import { renderDiagnostic, type ReportStyle } from '../diagnostics/render.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { counted } from '../naming.ts'
import type { Colors, Context } from './context.ts'
import { stripEscapes } from './terminal-text.ts'

/** How diagnostics are printed. */
export type ReportFormat = 'text' | 'json' | 'github'

/** A checked definition. */
export interface Report {
  /** Its name in messages. */
  readonly name: string
  /** Its text and files. */
  readonly result: DefinitionParseResult
  readonly diagnostics: readonly Diagnostic[]
}

/** Hints are for editors, and for who asks for them. */
export function withoutHints(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity !== 'hint')
}

/**
 * Prints diagnostics in order: `text` to standard error, with excerpts; `json`, one object per line, and `github`,
 * one workflow command per line, to standard output.
 */
export function reportDiagnostics(report: Report, context: Context, format: ReportFormat = 'text'): void {
  const { result, diagnostics } = report
  const style = reportStyle(context.colors)
  const nameOf = (file: string): string => nameIn(report, file)
  for (const diagnostic of diagnostics) {
    if (format === 'json') context.print(JSON.stringify(toJson(diagnostic, report)))
    else if (format === 'github') context.print(toWorkflowCommand(diagnostic, nameOf(diagnostic.file)))
    else context.report(`${renderDiagnostic(diagnostic, result.text, nameOf, style)}\n`)
  }
}

/** The name of a file in messages: beside the definition, whose name is as the user wrote it. */
function nameIn({ name, result }: Report, file: string): string {
  if (file === result.mainFile.path) return name
  return stripEscapes(`${name.slice(0, name.length - basename(name).length)}${file}`)
}

/** Returns the colors of printed diagnostics. */
export function reportStyle(colors: Colors): ReportStyle {
  return {
    severity: (severity, text) => colors.bold(severityColor(colors, severity)(text)),
    message: colors.bold,
    margin: colors.dim,
    related: colors.cyan,
  }
}

/** Returns the color of a severity. */
export function severityColor(colors: Colors, severity: Severity): (text: string) => string {
  if (severity === 'error') return colors.red
  return severity === 'warning' ? colors.yellow : colors.cyan
}

/** Counts the diagnostics of each severity: `2 errors, 1 warning`; empty if there are none. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return (['error', 'warning', 'hint'] as const)
    .map((severity) => [diagnostics.filter((one) => one.severity === severity).length, severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => counted(number, severity))
    .join(', ')
}

/**
 * Returns the JSON form of a diagnostic. Lines and columns count from 1, offsets (UTF-16 code units) from 0, all of them
 * in the file.
 */
function toJson(
  { code, severity, message, help, file, range, related }: Diagnostic,
  report: Report,
): unknown {
  return {
    file: nameIn(report, file),
    code,
    severity,
    message,
    ...(help === undefined ? {} : { help }),
    range: rangeIn(report, file, range),
    related: related.map((place: RelatedInformation) => ({
      message: place.message,
      ...(place.file === file ? {} : { file: nameIn(report, place.file) }),
      range: rangeIn(report, place.file, place.range),
    })),
  }
}

function rangeIn({ result }: Report, file: string, { start, end }: Range): Range {
  const first = result.files.find(({ path }) => path === file)?.start ?? 0
  return { start: { ...start, offset: start.offset - first }, end: { ...end, offset: end.offset - first } }
}

const LEVELS = { error: 'error', warning: 'warning', hint: 'notice' } as const

/** An annotation of GitHub Actions (docs.github.com, workflow commands). Its end column is inclusive. */
function toWorkflowCommand(diagnostic: Diagnostic, file: string): string {
  const { code, severity, range } = diagnostic
  const { start, end } = range
  const sameLine = start.line === end.line
  const properties = {
    file,
    line: start.line,
    endLine: end.line,
    ...(sameLine ? { col: start.column, endColumn: Math.max(start.column, end.column - 1) } : {}),
    title: code,
  }
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  return `::${LEVELS[severity]} ${list.join(',')}::${escapeData(messageWithHelp(diagnostic))}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
