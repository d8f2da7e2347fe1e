import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import type { Mend } from '../../diagnostics/diagnostic.ts'
import type { AttributeType, Block } from '../generated/ast.ts'
import type { Lines } from './lines.ts'
import type { Tokens } from './tokens.ts'

/** A stretch of the text, in offsets; the end is excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A finding before its places are turned into lines and columns. */
export interface Finding extends Span {
  readonly code: DiagnosticCode
  readonly message: string
  readonly related?: readonly (Span & { readonly message: string })[]
  readonly data?: Mend
}

/** What every node of a syntax tree knows of the text that it was read from. */
export interface SyntaxTree {
  readonly text: string
  readonly lines: Lines
  readonly tokens: Tokens
  /** In the order of the text; they are no tokens. */
  readonly comments: Tokens
  /** The service or sibling struct that a type names; `undefined` for built-in types and unknown names. */
  readonly resolve: (type: AttributeType) => Block | undefined
}
