import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { nodeAt } from './enclosing.ts'
import type { Fix } from './fix.ts'
import { withPermissionChange } from './permission-change.ts'
import { FIXES } from './table.ts'

/** The fixes of a diagnostic, the most likely first. None of them changes who may do what without saying so. */
export function fixesOf(diagnostic: Diagnostic, result: DefinitionParseResult): Fix[] {
  return plainFixes(diagnostic, result).map((fix) => withPermissionChange(fix, result))
}

/** The preferred fix of a diagnostic, if there is one. */
export function preferredFix(diagnostic: Diagnostic, result: DefinitionParseResult): Fix | undefined {
  return plainFixes(diagnostic, result)
    .filter((fix) => fix.preferred)
    .map((fix) => withPermissionChange(fix, result))
    .find((fix) => fix.preferred)
}

function plainFixes(diagnostic: Diagnostic, result: DefinitionParseResult): Fix[] {
  const node = nodeAt(result, diagnostic.range.start.offset)
  return FIXES[diagnostic.code].flatMap((quickFix) => quickFix({ diagnostic, result, node }))
}
