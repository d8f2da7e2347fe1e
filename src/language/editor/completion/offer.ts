import type { Span } from '../../syntax/tree.ts'

/** What an offer is; clients show a sign for it. */
export type OfferKind =
  | 'project'
  | 'service'
  | 'struct'
  | 'type'
  | 'annotation'
  | 'metadata'
  | 'parameter'
  | 'value'
  | 'snippet'

/** A change elsewhere in the text that accepting an offer brings with it. */
export interface FurtherEdit {
  readonly at: number
  /** What stands there and goes; nothing by default. */
  readonly end?: number
  readonly text: string
}

/** One thing that can be written somewhere. */
export interface Offer {
  readonly label: string
  readonly kind: OfferKind
  /** What it is, in a few words. */
  readonly detail?: string
  /** Markdown. */
  readonly documentation?: string
  /** What takes the place of `span`: a snippet, in which `$`, `}` and `\` of plain text are escaped. */
  readonly snippet: string
  readonly span: Span
  /** What typing is compared with; the label by default. */
  readonly filter?: string
  /** Offers of a smaller rank come first, those of the same in the order that they are listed in. */
  readonly rank: number
  /** Characters that accept the offer and are then typed themselves. */
  readonly commit?: readonly string[]
  readonly further?: readonly FurtherEdit[]
}

/** The text of a snippet: placeholders as they stand, of a choice the first. */
export function plainText(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|]*)[^}]*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, '$1')
    .replace(/\$\d+/g, '')
    .replace(/\\([$}\\])/g, '$1')
}
