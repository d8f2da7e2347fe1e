import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import { countErrors, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { checkRead, readText } from '../parse.ts'
import type { Read } from '../syntax/read.ts'
import { applyEdits } from './edits.ts'
import type { Edit } from './fix.ts'
import { preferredFix } from './fixes.ts'

/** One mend may bring the next to light, but not for ever. */
const MOST_ROUNDS = 20
/** How many texts are checked in one round to find the mends that help. */
const MOST_TRIALS = 40

/** A text and what is wrong with it. */
interface State {
  readonly text: string
  readonly read: Read
  readonly diagnostics: readonly Diagnostic[]
  readonly errors: number
}

/**
 * The text with the likeliest mend of every diagnostic that has one, again and again until nothing changes.
 * With codes, of diagnostics of those codes alone. Mends that bring more errors than they take, as in a text with
 * brackets amiss, are left out; a text that would not become better is given back as it is.
 */
export function fixAll(text: string, isWanted: (code: DiagnosticCode) => boolean = () => true): string {
  let state = stateOf(text)
  let best = state
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const mends = mendsOf(state, isWanted)
    const next = after(state, mends)
    if (next.text === state.text) break
    state = next
    if (isBetter(state, best)) best = state
  }
  return best.text
}

function stateOf(text: string): State {
  const read = readText(text)
  const { diagnostics } = checkRead(read)
  return { text, read, diagnostics, errors: countErrors(diagnostics) }
}

function isBetter(a: State, b: State): boolean {
  return a.errors < b.errors || (a.errors === b.errors && a.diagnostics.length < b.diagnostics.length)
}

type Mend = readonly Edit[]

/** What comes of the mends that help. */
function after(state: State, mends: readonly Mend[]): State {
  if (mends.length === 0) return state
  const all = stateOf(applyEdits(state.text, mends.flat()))
  if (isBetter(all, state)) return all
  const rest = stateOf(applyEdits(state.text, helpful(state, mends, { left: MOST_TRIALS }).flat()))
  if (isBetter(rest, state)) return rest
  // One mend may bring to light what stood behind it.
  return all.errors === state.errors ? all : state
}

/** Of mends that together make nothing better, those that do. */
function helpful(state: State, mends: readonly Mend[], trials: { left: number }): readonly Mend[] {
  if (mends.length < 2) return []
  const middle = Math.ceil(mends.length / 2)
  return [mends.slice(0, middle), mends.slice(middle)].flatMap((half) => {
    if (trials.left-- <= 0) return []
    return isBetter(stateOf(applyEdits(state.text, half.flat())), state) ? half : helpful(state, half, trials)
  })
}

/** Preferred mends that do not touch each other. */
function mendsOf({ diagnostics, read }: State, isWanted: (code: DiagnosticCode) => boolean): Mend[] {
  const chosen: Mend[] = []
  for (const diagnostic of diagnostics.filter(({ code }) => isWanted(code))) {
    const mend = preferredFix(diagnostic, read)?.edits ?? []
    const isFree = !mend.some((edit) => chosen.some((other) => other.some((one) => touches(edit, one))))
    if (mend.length > 0 && isFree) chosen.push(mend)
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
