import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import { countErrors, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { type CheckedDefinition, checkParsed, readText } from '../parse.ts'
import type { SourceFile } from '../source-file.ts'
import { checkEdited } from './check-edited.ts'
import type { Edit } from './edits.ts'
import { preferredFix } from './fixes.ts'
import { isPermissionChanged, type Permissions, permissionsOf } from './permissions.ts'

/** The maximum number of rounds: a fix may reveal the next problem. */
const MOST_ROUNDS = 20
/** The maximum number of texts that are checked in one round to find the fixes that help. */
const MOST_TRIALS = 40

/** A file and the diagnostics of its definition. */
interface State {
  readonly file: SourceFile
  readonly result: DefinitionParseResult
  readonly diagnostics: readonly Diagnostic[]
  readonly errors: number
  readonly permissions: Permissions
}

/**
 * Applies the preferred fix of every diagnostic that has one, repeatedly until nothing changes, and returns the
 * text. With codes, fixes only diagnostics with these codes. Omits fixes that change permissions, and fixes that
 * cause more errors than they remove, as in a text with wrong brackets. Returns the text unchanged if it would not
 * improve.
 */
export function fixAll(text: string, isWanted: (code: DiagnosticCode) => boolean = () => true): string {
  return fixFile(readText(text), '', isWanted)
}

/** The same for one file of a definition; the others stay unchanged. `path` is one of `result.files`. */
export function fixFile(
  result: DefinitionParseResult,
  path: string,
  isWanted: (code: DiagnosticCode) => boolean = () => true,
): string {
  let state = stateOf(checkParsed(result), path)
  let best = state
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = applied(state, preferredEdits(state, isWanted))
    if (next.file.text === state.file.text) break
    state = next
    if (isBetter(state, best)) best = state
  }
  return best.file.text
}

/** The diagnostics that `fixAll` would try to fix first. */
export function fixableDiagnostics(
  diagnostics: readonly Diagnostic[],
  result: DefinitionParseResult,
): Diagnostic[] {
  return diagnostics.filter((diagnostic) => preferredFix(diagnostic, result) !== undefined)
}

function stateOf({ parseResult: result, diagnostics }: CheckedDefinition, path: string): State {
  const permissions = permissionsOf(result)
  const file = result.files.find((one) => one.path === path) ?? result.mainFile
  return { file, result, diagnostics, errors: countErrors(diagnostics), permissions }
}

function edited({ file, result }: State, edits: Edits): State {
  return stateOf(checkEdited(result, edits), file.path)
}

function isBetter(a: State, b: State): boolean {
  return a.errors < b.errors || (a.errors === b.errors && a.diagnostics.length < b.diagnostics.length)
}

type Edits = readonly Edit[]

/** The state after the fixes that help and do not change permissions. */
function applied(state: State, fixes: readonly Edits[]): State {
  if (fixes.length === 0) return state
  const all = edited(state, fixes.flat())
  if (isImprovement(all, state)) return all
  const rest = edited(state, helpful(state, fixes, { left: MOST_TRIALS }).flat())
  if (isImprovement(rest, state)) return rest
  // A fix may reveal a problem that another one hid.
  return all.errors === state.errors && isPermitted(all, state) ? all : state
}

/** The fixes that help, if all of them together do not. */
function helpful(state: State, fixes: readonly Edits[], trials: { left: number }): readonly Edits[] {
  if (fixes.length < 2) return []
  const middle = Math.ceil(fixes.length / 2)
  return [fixes.slice(0, middle), fixes.slice(middle)].flatMap((half) => {
    if (trials.left-- <= 0) return []
    const next = edited(state, half.flat())
    return isImprovement(next, state) ? half : helpful(state, half, trials)
  })
}

function isImprovement(next: State, state: State): boolean {
  return isBetter(next, state) && isPermitted(next, state)
}

function isPermitted(next: State, state: State): boolean {
  return !isPermissionChanged(state.permissions, next.permissions)
}

/** The edits of preferred fixes that do not overlap, and that change only the file. */
function preferredEdits(
  { diagnostics, file, result }: State,
  isWanted: (code: DiagnosticCode) => boolean,
): Edits[] {
  const chosen: Edits[] = []
  for (const diagnostic of diagnostics.filter((one) => one.file === file.path && isWanted(one.code))) {
    const edits = preferredFix(diagnostic, result)?.edits ?? []
    if (edits.some(({ start, end }) => start < file.start || end > file.end)) continue
    const isFree = !edits.some((edit) => chosen.some((other) => other.some((one) => touches(edit, one))))
    if (edits.length > 0 && isFree) chosen.push(edits)
  }
  return chosen
}

function touches(a: Edit, b: Edit): boolean {
  return a.start <= b.end && b.start <= a.end
}
