import type { AstNode } from 'langium'
import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import type { Edit } from './edits.ts'

/** One way to fix a problem. */
export interface Fix {
  /** The title in an editor's menu. A fix that changes permissions says so. */
  readonly title: string
  /** In any order; they do not overlap. */
  readonly edits: readonly Edit[]
  /**
   * It is probably what was meant, and safe to apply without review, because nothing that the user wrote is lost. At most
   * one fix of a problem is preferred.
   */
  readonly preferred: boolean
}

/** A diagnostic and the definition that it is in. */
export interface FixContext {
  readonly diagnostic: Diagnostic
  readonly result: DefinitionParseResult
  /** The innermost node at the start of the diagnostic. */
  readonly node: AstNode
}

/** Returns the fixes of one kind for a problem; none if it does not apply. */
export type QuickFix = (context: FixContext) => readonly Fix[]

/** The fixes of every code. For a code without fixes, only the author knows what was meant. */
export type FixTable = Readonly<Record<DiagnosticCode, readonly QuickFix[]>>

/** Creates a fix from a title and edits. */
export type FixFactory = (title: string, ...edits: readonly Edit[]) => Fix

export const preferred: FixFactory = (title, ...edits) => ({ title, edits, preferred: true })

export const alternative: FixFactory = (title, ...edits) => ({ title, edits, preferred: false })
