import type { Severity } from '../diagnostics/catalogue.ts'
import type { Diagnostic, RelatedPlace } from '../diagnostics/diagnostic.ts'
import { renderDiagnostic, type ReportStyle } from '../diagnostics/render.ts'
import { counted } from '../model/names.ts'
import type { Colors, Context } from './context.ts'
import type { DefinitionText } from './definition.ts'

/** How diagnostics are printed. */
export type ReportFormat = 'text' | 'json' | 'github'

/** What a report is about: a definition, and what is to be said of it. */
export interface Finding {
  readonly definition: Pick<DefinitionText, 'name' | 'text'>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Prints diagnostics in their order. `text` goes to standard error with excerpts; `json`, one object a line,
 * and `github`, one workflow command a line, go to standard output.
 */
export function reportDiagnostics(finding: Finding, context: Context, format: ReportFormat = 'text'): void {
  const { definition, diagnostics } = finding
  const style = reportStyle(context.colors)
  for (const diagnostic of diagnostics) {
    if (format === 'json') context.print(JSON.stringify(toJson(diagnostic, definition.name)))
    else if (format === 'github') context.print(toWorkflowCommand(diagnostic, definition.name))
    else context.report(`${renderDiagnostic(diagnostic, definition.text, definition.name, style)}\n`)
  }
}

/** The colours of a printed report. */
export function reportStyle(colors: Colors): ReportStyle {
  return {
    severity: (severity, text) => colors.bold(severityColor(colors, severity)(text)),
    message: colors.bold,
    margin: colors.dim,
    related: colors.cyan,
  }
}

/** The colour of a severity. */
export function severityColor(colors: Colors, severity: Severity): (text: string) => string {
  if (severity === 'error') return colors.red
  return severity === 'warning' ? colors.yellow : colors.cyan
}

/** How many there are of each severity: `2 errors, 1 warning`; empty without any. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return (['error', 'warning', 'hint'] as const)
    .map((severity) => [diagnostics.filter((one) => one.severity === severity).length, severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => counted(number, severity))
    .join(', ')
}

/** The public form of a diagnostic. Lines and columns count from 1, offsets (UTF-16 code units) from 0. */
function toJson({ code, severity, message, range, related }: Diagnostic, file: string): unknown {
  return {
    file,
    code,
    severity,
    message,
    range,
    related: related.map((place: RelatedPlace) => ({ message: place.message, range: place.range })),
  }
}

const LEVELS = { error: 'error', warning: 'warning', hint: 'notice' } as const

/** An annotation of GitHub Actions (docs.github.com, workflow commands). Its end column is inclusive. */
function toWorkflowCommand({ code, severity, message, range }: Diagnostic, file: string): string {
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
  return `::${LEVELS[severity]} ${list.join(',')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
