import { expect } from 'vitest'
import type { DiagnosticCode } from '../src/diagnostics/catalogue.ts'
import type { Diagnostic, Range } from '../src/diagnostics/diagnostic.ts'
import { renderDiagnostic } from '../src/diagnostics/render.ts'
import { checkText } from '../src/language/parse.ts'

/**
 * Checks `text` and expects exactly the diagnostics `codes`, at the ranges marked with `«` and `»`, in the order of
 * the marks. Returns the diagnostics for further assertions.
 *
 * @example expectDiagnostics('Home: service { name: «text»; }', 'unknown-type')
 */
export function expectDiagnostics(
  marked: string,
  ...codes: readonly DiagnosticCode[]
): readonly Diagnostic[] {
  const { text, spans } = unmark(marked)
  const { diagnostics } = checkText(text)
  const found = diagnostics.map(
    ({ code, range }) => `${code} ${mark(text, range.start.offset, range.end.offset)}`,
  )
  const expected = spans.map(
    ([start, end], index) => `${codes[index] ?? 'no code'} ${mark(text, start, end)}`,
  )
  expect(found).toEqual(expected)
  expect(codes).toHaveLength(spans.length)
  return diagnostics
}

/** The same inside of a service of an otherwise valid definition without authentication. */
export function expectInService(members: string, ...codes: readonly DiagnosticCode[]): readonly Diagnostic[] {
  return expectDiagnostics(`P: project {}\nHost: service {}\nHome: service {\n${members}\n}\n`, ...codes)
}

/** The diagnostics about a text as they are printed for the file `shop.portico`. */
export function report(text: string, diagnostics = checkText(text).diagnostics): string {
  return diagnostics
    .map((diagnostic) => renderDiagnostic(diagnostic, text, () => 'shop.portico'))
    .join('\n\n')
}

/** The diagnostics about a text in few lines, for recorded files: message, help, and places between `«` and `»`. */
export function brief(text: string, diagnostics = checkText(text).diagnostics): string {
  return diagnostics
    .map(({ severity, code, message, help, file, range, related }) =>
      [
        `${severity}[${code}]: ${message}`,
        ...(help === undefined ? [] : [`  = ${help}`]),
        `  ${placeOf(text, file, range)}`,
        ...related.map((place) => `  ${placeOf(text, place.file, place.range)}: ${place.message}`),
      ].join('\n'),
    )
    .join('\n')
}

/** A range in its lines, with its number and file. */
function placeOf(text: string, file: string, { start, end }: Range): string {
  const lineStart = text.lastIndexOf('\n', start.offset - 1) + 1
  const lineEnd = text.indexOf('\n', end.offset)
  const parts = [
    text.slice(lineStart, start.offset).trimStart(),
    text.slice(start.offset, end.offset),
    text.slice(end.offset, lineEnd < 0 ? text.length : lineEnd),
  ]
  const [before = '', inside = '', after = ''] = parts.map((part) => part.replaceAll('\n', '⏎'))
  return `${file && `${file}:`}${start.line}:${start.column} ${before}«${inside}»${after.trimEnd()}`
}

function unmark(marked: string): { text: string; spans: [number, number][] } {
  const spans: [number, number][] = []
  const open: [number, number][] = []
  let text = ''
  for (const character of marked) {
    if (character === '«') {
      const span: [number, number] = [text.length, 0]
      open.push(span)
      spans.push(span)
    } else if (character === '»') {
      const span = open.pop()
      if (span !== undefined) span[1] = text.length
    } else text += character
  }
  return { text, spans }
}

function mark(text: string, start: number, end: number): string {
  const line = text.slice(0, start).split('\n').length
  return `${line}: ${text.slice(Math.max(0, start - 20), start)}«${text.slice(start, end)}»`
}
