import type { AnyNode } from '../../editor/place.ts'
import type { Read } from '../../syntax/read.ts'
import type { Span } from '../../syntax/tree.ts'
import type { Edit } from '../fix.ts'

/** A change that keeps a definition right and makes it another, or the same in other words. */
export interface Refactoring {
  readonly title: string
  /** As the protocol has them: `refactor.extract` makes something new, `refactor.rewrite` says it otherwise. */
  readonly kind: 'refactor.extract' | 'refactor.rewrite'
  readonly edits: readonly Edit[]
}

/** What is selected; nothing but a place where `start` and `end` are equal. */
export interface Selection {
  readonly read: Read
  readonly span: Span
  /** The innermost node at its start. */
  readonly node: AnyNode
}

/** The refactorings of one kind that fit a selection. */
export type Refactor = (selection: Selection) => readonly Refactoring[]
