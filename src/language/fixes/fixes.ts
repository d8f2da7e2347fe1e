import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { nodeAt } from './enclosing.ts'
import type { Fix } from './fix.ts'
import { FIXES } from './table.ts'

/** The fixes of a diagnostic, the most likely first. */
export function fixesOf(diagnostic: Diagnostic, result: DefinitionParseResult): Fix[] {
  const node = nodeAt(result, diagnostic.range.start.offset)
  return FIXES[diagnostic.code].flatMap((quickFix) => quickFix({ diagnostic, result, node }))
}

/** The preferred fix of a diagnostic, if there is one. */
export function preferredFix(diagnostic: Diagnostic, result: DefinitionParseResult): Fix | undefined {
  return fixesOf(diagnostic, result).find((fix) => fix.preferred)
}
