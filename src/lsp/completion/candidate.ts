import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Span } from '../../language/raw-diagnostic.ts'
import type { DocumentationKey } from './documentation.ts'

/** The kind of a candidate, for which editors show an icon. */
export type CandidateKind =
  | 'import'
  | 'file'
  | 'project'
  | 'service'
  | 'struct'
  | 'endpoint'
  | 'job'
  | 'attribute'
  | 'reference'
  | 'type'
  | 'annotation'
  | 'metadata'
  | 'parameter'
  | 'value'

/** An additional change elsewhere in the text. */
export interface AdditionalEdit extends Span {
  readonly text: string
}

/** A text that is valid at a position. */
export interface CompletionCandidate {
  readonly label: string
  readonly kind: CandidateKind
  /** A short description. */
  readonly detail?: string
  /** The key of its documentation. */
  readonly documentation?: DocumentationKey
  /** The snippet that replaces `span`. `$`, `}` and `\` in plain text are escaped. */
  readonly snippet: string
  readonly span: Span
  /** The text that typing is compared with. Default: the label. */
  readonly filter?: string
  /** Candidates with a lower rank come first. Equal ranks keep the order of the list. */
  readonly rank: number
  readonly additionalEdits?: readonly AdditionalEdit[]
  /** The error that the text has until another declaration follows, such as `#authMethod` after `#roles`. */
  readonly awaits?: DiagnosticCode
}

/** How many names a choice in a snippet lists. */
export const MAX_CHOICES = 10

/** The plain text of a snippet: the default of each placeholder and the first option of each choice. */
export function plainText(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|]*)[^}]*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, '$1')
    .replace(/\$\d+/g, '')
    .replace(/\\([$}\\])/g, '$1')
}
