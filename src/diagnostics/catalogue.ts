import { ATTRIBUTES } from './entries/attributes.ts'
import { BLOCKS } from './entries/blocks.ts'
import { METADATA_ENTRIES } from './entries/metadata.ts'
import { SYNTAX } from './entries/syntax.ts'
import type { CatalogueEntry } from './entry.ts'

export type { CatalogueEntry, Severity } from './entry.ts'

const ENTRIES = { ...SYNTAX, ...BLOCKS, ...ATTRIBUTES, ...METADATA_ENTRIES } as const

/** The stable code of a diagnostic. Others do not compile. */
export type DiagnosticCode = keyof typeof ENTRIES

/** Every diagnostic there is, in the order of the reference page. */
export const CATALOGUE: Readonly<Record<DiagnosticCode, CatalogueEntry>> = ENTRIES

/** All codes, in the order of the catalogue. */
export const DIAGNOSTIC_CODES: readonly DiagnosticCode[] = Object.keys(ENTRIES) as DiagnosticCode[]

/** Whether this text, of a user perhaps, is a code. */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(ENTRIES, text)
}
