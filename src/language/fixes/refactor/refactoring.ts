import type { AstNode } from 'langium'
import type { DefinitionParseResult } from '../../parse-result.ts'
import type { Span } from '../../raw-diagnostic.ts'
import type { Edit } from '../edits.ts'

/** A change of a valid definition. */
export interface Refactoring {
  readonly title: string
  /** The protocol's kinds: `refactor.extract` creates a declaration, `refactor.rewrite` changes the form. */
  readonly kind: 'refactor.extract' | 'refactor.rewrite'
  readonly edits: readonly Edit[]
}

/** The selection. If `start` and `end` are equal, it is a position. */
export interface Selection {
  readonly result: DefinitionParseResult
  readonly span: Span
  /** The innermost node at the start of the selection. */
  readonly node: AstNode
}

/** Returns the refactorings of one kind for a selection. */
export type Refactor = (selection: Selection) => readonly Refactoring[]
