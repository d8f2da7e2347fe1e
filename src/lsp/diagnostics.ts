import {
  type Diagnostic as ProtocolDiagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
} from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import type { Diagnostic, Range } from '../diagnostics/diagnostic.ts'
import { pageOf } from './explanations.ts'

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const

/** What can be taken away without changing what the definition says; editors fade it out. */
const UNNECESSARY: ReadonlySet<DiagnosticCode> = new Set([
  'redundant-metadata',
  'repeated-value',
  'metrics-not-available',
])

/** Diagnostics as the protocol has them. Codes, places and words are those of the command line. */
export function toProtocol(diagnostics: readonly Diagnostic[], document: TextDocument): ProtocolDiagnostic[] {
  const rangeOf = ({ start, end }: Range): ProtocolDiagnostic['range'] => ({
    start: document.positionAt(start.offset),
    end: document.positionAt(end.offset),
  })
  return diagnostics.map(({ code, severity, range, message, related, data }) => ({
    range: rangeOf(range),
    severity: SEVERITIES[severity],
    code,
    codeDescription: { href: pageOf(code) },
    source: 'portico',
    message,
    ...(UNNECESSARY.has(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(related.length === 0
      ? {}
      : {
          relatedInformation: related.map((place) => ({
            location: { uri: document.uri, range: rangeOf(place.range) },
            message: place.message,
          })),
        }),
    ...(data === undefined ? {} : { data }),
  }))
}
