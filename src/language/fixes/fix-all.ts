import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { checkRead, readText } from '../parse.ts'
import { applyEdits } from './edits.ts'
import type { Edit } from './fix.ts'
import { preferredFix } from './fixes.ts'

/** One mend may bring the next to light, but not for ever. */
const MOST_ROUNDS = 20

/**
 * The text with the likeliest mend of every diagnostic that has one, again and again until nothing changes.
 * With codes, of diagnostics of those codes alone.
 */
export function fixAll(text: string, isWanted: (code: DiagnosticCode) => boolean = () => true): string {
  let fixed = text
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const edits = editsOf(fixed, isWanted)
    if (edits.length === 0) break
    const next = applyEdits(fixed, edits)
    if (next === fixed) break
    fixed = next
  }
  return fixed
}

/** Preferred mends that do not touch each other. */
function editsOf(text: string, isWanted: (code: DiagnosticCode) => boolean): Edit[] {
  const read = readText(text)
  const chosen: Edit[] = []
  for (const diagnostic of checkRead(read).diagnostics.filter(({ code }) => isWanted(code))) {
    const edits = preferredFix(diagnostic, read)?.edits ?? []
    if (!edits.some((edit) => chosen.some((other) => touches(edit, other)))) chosen.push(...edits)
  }
  return chosen
}

function touches(a: Edit, b: Edit): boolean {
  return a.start <= b.end && b.start <= a.end
}

/** Diagnostics that `fixAll` would mend at first. */
export function fixable(
  diagnostics: readonly Diagnostic[],
  read: Parameters<typeof preferredFix>[1],
): Diagnostic[] {
  return diagnostics.filter((diagnostic) => preferredFix(diagnostic, read) !== undefined)
}
