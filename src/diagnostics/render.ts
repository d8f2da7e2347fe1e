import type { Severity } from './catalogue.ts'
import type { Diagnostic, Range } from './diagnostic.ts'
import { excerptOf } from './excerpt.ts'

/** How parts of a report are set off. Each function gives back its text, perhaps with colours around it. */
export interface ReportStyle {
  /** `error[code]`, and the carets under the place. */
  readonly severity: (severity: Severity, text: string) => string
  readonly message: (text: string) => string
  /** Path, line numbers and the rule beside excerpts. */
  readonly margin: (text: string) => string
  /** Carets under related places. */
  readonly related: (text: string) => string
}

const PLAIN: ReportStyle = {
  severity: (_severity, text) => text,
  message: (text) => text,
  margin: (text) => text,
  related: (text) => text,
}

/**
 * A diagnostic as it is printed: code and message, place, the line with carets under the range, and the same
 * for every related place. Lines are joined by `\n`, without one at the end.
 *
 * @param text the text that the diagnostic is about
 * @param path what to call it
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  text: string,
  path: string,
  style: ReportStyle = PLAIN,
): string {
  const { code, severity, message, range, related } = diagnostic
  const places = [range, ...related.map((place) => place.range)]
  const width = Math.max(...places.map((place) => String(place.start.line).length))
  const lines = [
    `${style.severity(severity, `${severity}[${code}]`)}: ${style.message(message)}`,
    style.margin(`  ${placeOf(path, range)}`),
    ...excerpt(range, text, width, style, (carets) => style.severity(severity, carets)),
  ]
  for (const place of related) {
    lines.push(`${style.margin(`  ${placeOf(path, place.range)}:`)} ${place.message}`)
    lines.push(...excerpt(place.range, text, width, style, style.related))
  }
  return lines.join('\n')
}

function placeOf(path: string, { start }: Range): string {
  return `${path}:${start.line}:${start.column}`
}

function excerpt(
  range: Range,
  text: string,
  width: number,
  style: ReportStyle,
  mark: (carets: string) => string,
): string[] {
  const { line, indent, carets } = excerptOf(text, range)
  const empty = `${' '.repeat(width)} |`
  const numbered = `${String(range.start.line).padStart(width)} |`
  return [
    style.margin(empty),
    `${style.margin(numbered)}${line === '' ? '' : ` ${line}`}`,
    `${style.margin(empty)} ${indent}${mark(carets)}`,
  ]
}
