import type { Severity } from './catalogue.ts'
import type { Diagnostic, Range } from './diagnostic.ts'
import { excerptOf } from './excerpt.ts'

/** How parts of a report are highlighted. Each function returns its text, with or without colors. */
export interface ReportStyle {
  /** `error[code]`, and the carets under the place. */
  readonly severity: (severity: Severity, text: string) => string
  readonly message: (text: string) => string
  /** Path, line numbers and the gutter. */
  readonly margin: (text: string) => string
  /** Carets under related places, and their messages. */
  readonly related: (text: string) => string
}

const PLAIN: ReportStyle = {
  severity: (_severity, text) => text,
  message: (text) => text,
  margin: (text) => text,
  related: (text) => text,
}

/**
 * Renders a diagnostic as rustc does: code and message, location, the line with carets under the range, the
 * same for every related place, and the help. Lines are joined by `\n`, without one at the end.
 *
 * @param text the text that the diagnostic is about, of all files
 * @param nameOf the name to show for a file
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  text: string,
  nameOf: (file: string) => string,
  style: ReportStyle = PLAIN,
): string {
  const { code, severity, message, help, file, range, related } = diagnostic
  const places = [range, ...related.map((place) => place.range)]
  const width = Math.max(...places.map((place) => String(place.start.line).length))
  const lines = [
    `${style.severity(severity, `${severity}[${code}]`)}: ${style.message(message)}`,
    style.margin(`  ${locationOf(nameOf(file), range)}`),
    ...excerpt(range, text, width, style, (carets) => style.severity(severity, carets)),
  ]
  for (const place of related) {
    lines.push(style.margin(`  ${locationOf(nameOf(place.file), place.range)}`))
    lines.push(
      ...excerpt(place.range, text, width, style, (carets) => style.related(`${carets} ${place.message}`)),
    )
  }
  if (help !== undefined) {
    const gutter = ' '.repeat(width)
    lines.push(style.margin(`${gutter} |`), `${style.margin(`${gutter} =`)} help: ${help}`)
  }
  return lines.join('\n')
}

function locationOf(path: string, { start }: Range): string {
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
