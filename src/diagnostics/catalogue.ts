import { ATTRIBUTES } from './entries/attributes.ts'
import { BLOCKS } from './entries/blocks.ts'
import { ENDPOINTS } from './entries/endpoints.ts'
import { JOBS } from './entries/jobs.ts'
import { METADATA_ENTRIES } from './entries/metadata.ts'
import { SYNTAX } from './entries/syntax.ts'
import type { CatalogueEntry } from './entry.ts'

export type { CatalogueEntry, Severity } from './entry.ts'

const ENTRIES = { ...SYNTAX, ...BLOCKS, ...ATTRIBUTES, ...METADATA_ENTRIES, ...ENDPOINTS, ...JOBS } as const

/** The stable code of a diagnostic. An unknown code does not compile. */
export type DiagnosticCode = keyof typeof ENTRIES

/** Every diagnostic, in the order of the reference page. */
export const CATALOGUE: Readonly<Record<DiagnosticCode, CatalogueEntry>> = ENTRIES

/** All codes, in the order of the catalogue. */
export const DIAGNOSTIC_CODES: readonly DiagnosticCode[] = Object.keys(ENTRIES) as DiagnosticCode[]

/** Whether a text, for example user input, is a code. */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(ENTRIES, text)
}
