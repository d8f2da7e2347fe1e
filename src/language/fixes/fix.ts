import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { AnyNode } from '../editor/place.ts'
import type { Read } from '../syntax/read.ts'
import type { Span } from '../syntax/tree.ts'

/** A piece of the text and what to put in its place. Offsets are those of the text before any edit. */
export interface Edit extends Span {
  readonly text: string
}

/** One way to mend a problem. */
export interface Fix {
  /** What it does, as an editor's menu shows it. */
  readonly title: string
  /** In no particular order; they do not overlap. */
  readonly edits: readonly Edit[]
  /** It is most likely what was meant, and safe to apply without a look. At most one of a problem's. */
  readonly preferred: boolean
}

/** A diagnostic with what it was found in. */
export interface Problem {
  readonly diagnostic: Diagnostic
  readonly read: Read
  /** The innermost node at the start of the diagnostic. */
  readonly node: AnyNode
}

/** The ways that one kind of fix knows for a problem; none where it does not apply. */
export type QuickFix = (problem: Problem) => readonly Fix[]

/** Fixes for every code that there is; a code without any says that its mend needs a person. */
export type FixTable = Readonly<Record<DiagnosticCode, readonly QuickFix[]>>

export function preferred(title: string, ...edits: readonly Edit[]): Fix {
  return { title, edits, preferred: true }
}

export function alternative(title: string, ...edits: readonly Edit[]): Fix {
  return { title, edits, preferred: false }
}

/** The smallest piece of a text that makes another of it. */
export function changeOf(before: string, after: string): Edit {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let same = 0
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++
  return { start, end: before.length - same, text: after.slice(start, after.length - same) }
}
