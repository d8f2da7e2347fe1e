import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { placeAt } from '../editor/place.ts'
import type { Read } from '../syntax/read.ts'
import type { Fix } from './fix.ts'
import { FIXES } from './table.ts'

/** The ways to mend a diagnostic, the likeliest first. */
export function fixesOf(diagnostic: Diagnostic, read: Read): Fix[] {
  const { node } = placeAt(read, diagnostic.range.start.offset)
  return FIXES[diagnostic.code].flatMap((quickFix) => quickFix({ diagnostic, read, node }))
}

/** The way that is most likely meant, where there is one. */
export function preferredFix(diagnostic: Diagnostic, read: Read): Fix | undefined {
  return fixesOf(diagnostic, read).find((fix) => fix.preferred)
}
