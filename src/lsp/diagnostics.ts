import type { LangiumDocument } from 'langium'
import {
  type Diagnostic as ProtocolDiagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Location,
} from 'vscode-languageserver'
import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import { type Diagnostic, messageWithHelp, type Range } from '../diagnostics/diagnostic.ts'
import type { PorticoServices } from '../language/module.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { DefinitionValidator } from '../language/validation/validator.ts'
import type { Definitions } from './definitions.ts'
import { explanationUri } from './explanations.ts'

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const

/** Diagnostics about code that can be removed without changing the meaning; editors fade it out. */
const UNNECESSARY: ReadonlySet<DiagnosticCode> = new Set([
  'redundant-metadata',
  'duplicate-value',
  'redundant-import',
])

/**
 * Converts diagnostics to the protocol's form. Codes, ranges and texts are those of the command line.
 *
 * @param locationOf the place of a span of the definition
 */
export function toProtocol(
  diagnostics: readonly Diagnostic[],
  locationOf: (span: Span) => Location,
): ProtocolDiagnostic[] {
  const placeOf = ({ start, end }: Range): Location => locationOf({ start: start.offset, end: end.offset })
  return diagnostics.map((diagnostic) => {
    const { code, severity, range, related, data } = diagnostic
    return {
      range: placeOf(range).range,
      severity: SEVERITIES[severity],
      code,
      codeDescription: { href: explanationUri(code) },
      source: 'portico',
      message: messageWithHelp(diagnostic),
      ...(UNNECESSARY.has(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
      ...(related.length === 0
        ? {}
        : {
            relatedInformation: related.map((place) => ({
              location: placeOf(place.range),
              message: place.message,
            })),
          }),
      ...(data === undefined ? {} : { data }),
    }
  })
}

/** Validates documents of the server, as part of each definition that they belong to. */
export class LspDefinitionValidator extends DefinitionValidator {
  readonly #definitions: Definitions

  constructor(services: PorticoServices, definitions: Definitions) {
    super(services)
    this.#definitions = definitions
  }

  override async validateDocument(document: LangiumDocument): Promise<ProtocolDiagnostic[]> {
    const [first = [], ...others] = this.#definitions.views(document).map((view) => {
      const locationOf = (span: Span): Location => view.definition.locationOf(span)
      return toProtocol(view.diagnostics(this), locationOf)
    })
    if (others.length === 0) return first
    const found = new Map<string, ProtocolDiagnostic>()
    for (const diagnostic of [first, ...others].flat()) {
      const { code, range, message } = diagnostic
      const key = JSON.stringify([code, range, message])
      if (!found.has(key)) found.set(key, diagnostic)
    }
    return [...found.values()]
  }
}
